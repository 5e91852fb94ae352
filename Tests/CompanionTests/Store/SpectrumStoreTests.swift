import Analyzer
import Companion
import LibraryStore
import SQLiteDatabase
import Testing
import TestSupport

@Suite struct SpectrumStoreTests {
    private let data: TemporaryData
    private let store: SpectrumStore

    init() throws {
        data = try TemporaryData()
        store = try SpectrumStore(data.folder)
    }

    private func frames(_ count: Int, bands: Int = 64) -> VisualizerSpectra {
        VisualizerSpectra(
            framesPerSecond: 30, bandCount: bands,
            levels: (0..<count * bands).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / bands) })
    }

    @Test("Spectra are read back as stored", arguments: [0, 1, 7_200])
    func framesComeBack(count: Int) throws {
        try store.save(frames(count), of: Sample.hash(1))
        #expect(try store.frames(of: Sample.hash(1)) == frames(count))
        #expect(try store.frames(of: Sample.hash(2)) == nil)
        #expect(
            try sqlite3Tool(data.folder.visualizerDatabase, "SELECT frame_count, band_count FROM frames")
                .output
                == "\(count)|64\n")
    }

    @Test("A range of spectra can be read")
    func aRangeOfFrames() throws {
        let all = frames(500)
        try store.save(all, of: Sample.hash(1))
        let some = try #require(try store.frames(of: Sample.hash(1), in: 100..<130))
        #expect(some.levels == Array(all.levels[6_400..<8_320]) && some.frameCount == 30)
        #expect(try store.frames(of: Sample.hash(1), in: 490..<10_000)?.frameCount == 10)
        #expect(try store.frames(of: Sample.hash(1), in: 600..<700)?.frameCount == 0)
        #expect(try store.frames(of: Sample.hash(2), in: 0..<1) == nil)
    }

    @Test("A new version replaces the old one")
    func aNewVersionTakesThePlace() throws {
        try store.save(frames(5), of: Sample.hash(1), version: 1)
        try store.save(frames(6), of: Sample.hash(2), version: 1)
        #expect(try store.currentHashes(version: 1) == [Sample.hash(1), Sample.hash(2)])
        #expect(try store.currentHashes(version: 2).isEmpty)
        try store.save(frames(7, bands: 32), of: Sample.hash(1), version: 2)
        #expect(try store.currentHashes(version: 2) == [Sample.hash(1)])
        #expect(try store.frames(of: Sample.hash(1)) == frames(7, bands: 32))
        #expect(try store.prune { $0 == Sample.hash(1) }.count == 1)
        #expect(try store.frames(of: Sample.hash(2)) == nil)
    }

    @Test("Incomplete spectra are rejected")
    func aMatrixThatIsNoneIsRefused() throws {
        let odd = VisualizerSpectra(framesPerSecond: 30, bandCount: 64, levels: [1, 2, 3])
        #expect(throws: DatabaseError.self) { try store.save(odd, of: Sample.hash(1)) }
        #expect(try store.frames(of: Sample.hash(1)) == nil)
    }
}
