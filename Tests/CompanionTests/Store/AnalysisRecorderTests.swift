import Analyzer
import Companion
import SQLiteDatabase
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct AnalysisRecorderTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let frames: FrameStore
    private let recorder: AnalysisRecorder

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        frames = try FrameStore(data.folder)
        recorder = AnalysisRecorder(library: library, frames: frames)
    }

    private func levels(_ number: Int) -> VisualizerFrames {
        VisualizerFrames(levels: (0..<64 * (100 + number)).map { UInt8(truncatingIfNeeded: $0 * number) })
    }

    private func records(_ numbers: ClosedRange<Int>) throws -> [TrackRecord] {
        try numbers.map { number in
            var analysis = Sample.analysis(number)
            analysis.frames = MeasuredFrames(levels(number))
            return try Sample.record("\(number).mp3", hash: number, analysis: analysis)
        }
    }

    @Test func tracksAndFramesAreStoredTogether() throws {
        let ids = try recorder.record(records(1...20), isPresent: Sample.absent)
        #expect(Set(ids).count == 20)
        for number in 1...20 {
            let stored = try #require(try library.track(path: Sample.path("\(number).mp3")))
            #expect(stored.track.id == ids[number - 1])
            #expect(stored.analysis == Sample.analysis(number))
            #expect(try frames.frames(of: Sample.hash(number)) == levels(number))
        }
    }

    @Test func withoutFramesOnlyTheLibraryIsWritten() throws {
        _ = try recorder.record(
            [Sample.record("a.mp3", analysis: Sample.analysis())], isPresent: Sample.absent)
        #expect(try library.track(path: Sample.path("a.mp3"))?.analysis == Sample.analysis())
        #expect(try frames.count() == 0)
    }

    @Test func noTrackIsStoredWhoseFramesCannotBe() throws {
        _ = try sqlite3Tool(data.folder.visualizerDatabase, "DROP TABLE frames")
        #expect(throws: DatabaseError.self) { try recorder.record(records(1...3), isPresent: Sample.absent) }
        #expect(try library.track(path: Sample.path("1.mp3")) == nil)
        #expect(try !library.hasCurrentProfile(of: Sample.hash(1)))
        // The library can be written to afterwards.
        _ = try recorder.record([Sample.record("a.mp3")], isPresent: Sample.absent)
        #expect(try library.track(path: Sample.path("a.mp3")) != nil)
    }

    @Test func framesWaitForATrackThatCouldNotBeStored() throws {
        _ = try sqlite3Tool(data.folder.libraryDatabase, "DROP TABLE analysis_details")
        #expect(throws: DatabaseError.self) { try recorder.record(records(1...3), isPresent: Sample.absent) }
        #expect(try library.trackState(of: Sample.path("1.mp3")) == nil)
        // Nothing is under way when the recorder has returned.
        #expect(try frames.count() == 3)
    }

    @Test func onlyStandardFramesAreTaken() {
        #expect(MeasuredFrames(levels(1))?.levelCount == 64 * 101)
        #expect(MeasuredFrames(VisualizerFrames(framesPerSecond: 25, levels: [])) == nil)
        #expect(MeasuredFrames(VisualizerFrames(bandCount: 32, levels: [])) == nil)
        #expect(MeasuredFrames(VisualizerFrames(levels: [1, 2, 3])) == nil)
    }
}
