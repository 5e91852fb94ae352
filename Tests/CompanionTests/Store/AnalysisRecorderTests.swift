import Analyzer
import Companion
import LibraryStore
import SQLiteDatabase
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(30))) struct AnalysisRecorderTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let frames: SpectrumStore
    private let recorder: AnalysisRecorder

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        frames = try SpectrumStore(data.folder)
        recorder = AnalysisRecorder(library: library, frames: frames)
    }

    private func levels(_ number: Int) -> VisualizerSpectra {
        VisualizerSpectra(levels: (0..<64 * (100 + number)).map { UInt8(truncatingIfNeeded: $0 * number) })
    }

    private func records(_ numbers: ClosedRange<Int>) throws -> [TrackRecord] {
        try numbers.map { number in
            var analysis = Sample.analysis(number)
            analysis.frames = MeasuredSpectra(levels(number))
            return try Sample.record("\(number).mp3", hash: number, analysis: analysis)
        }
    }

    @Test("Tracks and spectra are stored together")
    func tracksAndFramesAreStoredTogether() throws {
        let ids = try recorder.record(records(1...20), isPresent: Sample.absent)
        #expect(Set(ids).count == 20)
        for number in 1...20 {
            let stored = try #require(try library.track(path: Sample.path("\(number).mp3")))
            #expect(stored.track.id == ids[number - 1])
            #expect(stored.analysis == Sample.analysis(number))
            #expect(try frames.frames(of: Sample.hash(number)) == levels(number))
        }
    }

    @Test("Without spectra, only the library is written")
    func withoutFramesOnlyTheLibraryIsWritten() throws {
        _ = try recorder.record(
            [Sample.record("a.mp3", analysis: Sample.analysis())], isPresent: Sample.absent)
        #expect(try library.track(path: Sample.path("a.mp3"))?.analysis == Sample.analysis())
        #expect(try frames.count() == 0)
    }

    @Test("If the spectra cannot be stored, the track is not stored either")
    func noTrackIsStoredWhoseFramesCannotBe() throws {
        _ = try sqlite3Tool(data.folder.visualizerDatabase, "DROP TABLE frames")
        #expect(throws: DatabaseError.self) { try recorder.record(records(1...3), isPresent: Sample.absent) }
        #expect(try library.track(path: Sample.path("1.mp3")) == nil)
        #expect(try !library.hasCurrentProfile(of: Sample.hash(1)))
        // The library can still be written.
        _ = try recorder.record([Sample.record("a.mp3")], isPresent: Sample.absent)
        #expect(try library.track(path: Sample.path("a.mp3")) != nil)
    }

    @Test("Spectra are kept if their track could not be stored")
    func framesWaitForATrackThatCouldNotBeStored() throws {
        _ = try sqlite3Tool(data.folder.libraryDatabase, "DROP TABLE analysis_details")
        #expect(throws: DatabaseError.self) { try recorder.record(records(1...3), isPresent: Sample.absent) }
        #expect(try library.trackState(of: Sample.path("1.mp3")) == nil)
        // Nothing is running when the recorder has returned.
        #expect(try frames.count() == 3)
    }

    @Test("Only spectra of the standard format are accepted")
    func onlyStandardFramesAreTaken() {
        #expect(MeasuredSpectra(levels(1))?.levelCount == 64 * 101)
        #expect(MeasuredSpectra(VisualizerSpectra(framesPerSecond: 25, levels: [])) == nil)
        #expect(MeasuredSpectra(VisualizerSpectra(bandCount: 32, levels: [])) == nil)
        #expect(MeasuredSpectra(VisualizerSpectra(levels: [1, 2, 3])) == nil)
    }
}
