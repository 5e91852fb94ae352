import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import Testing

/// States of tracks: current, outdated and missing.
@Suite struct LibraryStateTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
    }

    @Test("States show which parts are current")
    func whatAPassMaySkip() throws {
        let records = [
            try Sample.record("full.mp3", hash: 1, analysis: Sample.analysis(1)),
            try Sample.record("framesOnly.mp3", hash: 2, analysis: Sample.analysis(2, profile: nil)),
            try Sample.record("none.mp3", hash: 3),
            try Sample.record("old.mp3", hash: 4, analysis: Sample.analysis(4, version: 0)),
        ]
        let ids = try library.record(records, isPresent: Sample.present)
        var states: [String: TrackState] = [:]
        try library.forEachTrackState { states[$0.path.text] = $0 }
        #expect(states.count == 4)
        func expect(_ name: String, _ index: Int, stream: Bool, profile: Bool) throws {
            let expected = TrackState(
                trackID: ids[index], path: records[index].path, file: records[index].file,
                audioHash: records[index].audioHash, isAvailable: true, hasCurrentStream: stream,
                hasCurrentProfile: profile)
            #expect(states[name] == expected)
            #expect(try library.trackState(of: records[index].path) == expected)
        }
        try expect("full.mp3", 0, stream: true, profile: true)
        try expect("framesOnly.mp3", 1, stream: true, profile: false)
        try expect("none.mp3", 2, stream: false, profile: false)
        try expect("old.mp3", 3, stream: false, profile: false)
        #expect(try library.trackState(of: Sample.path("absent.mp3")) == nil)
    }

    @Test("A new analyzer version makes all analyses outdated")
    func aRaisedVersionMakesAllStale() throws {
        let record = try Sample.record("a.mp3", analysis: Sample.analysis())
        try library.record([record], isPresent: Sample.present)
        let next = TrackAnalysis.currentVersion + 1
        let stale = try #require(try library.trackState(of: record.path, version: next))
        #expect(!stale.hasCurrentStream && !stale.hasCurrentProfile)
        #expect(try !library.hasCurrentProfile(of: record.audioHash, version: next))
        // A pass for spectra with the new version makes the stream data current, but not the profile.
        try library.save(Sample.analysis(version: next, profile: nil))
        let half = try #require(try library.trackState(of: record.path, version: next))
        #expect(half.hasCurrentStream && !half.hasCurrentProfile)
    }

    @Test("Missing tracks keep their ids when they come back")
    func gonAndBack() throws {
        let records = [try Sample.record("a.mp3"), try Sample.record("b.mp3", hash: 2)]
        let ids = try library.record(records, isPresent: Sample.present)
        #expect(try library.markUnavailable(now: now) { $0.text == "b.mp3" } == 1)
        #expect(try library.markUnavailable(now: now.addingTimeInterval(9)) { $0.text == "b.mp3" } == 0)
        #expect(try library.track(id: ids[0])?.track.unavailableSince == now)
        #expect(try library.trackState(of: records[0].path)?.isAvailable == false)
        #expect(try library.trackCount() == 1)
        #expect(try library.tracks(matching: "title").map(\.id) == [ids[1]])
        try library.markAvailable([ids[0]])
        #expect(try library.trackCount() == 2)
        // Recording it again makes it available as well.
        try library.markUnavailable(unless: Sample.absent)
        #expect(try library.record(records, isPresent: Sample.present) == ids)
        #expect(try library.trackCount() == 2)
    }

    @Test("Failures are kept until the file changes")
    func failuresLastUntilTheFileChanges() throws {
        let path = try Sample.path("bad.mp3")
        let file = FileState(size: 5, modificationTimeNanoseconds: 6)
        let changed = FileState(size: 5, modificationTimeNanoseconds: 7)
        for _ in 0..<2 {
            try library.recordFailure(
                path: path, file: file, errorCode: "no_audio", message: "no \"MP3\"", now: now)
        }
        let failure = try #require(try library.failures().first)
        #expect(
            failure
                == AnalysisFailure(
                    path: path, file: file, analyzerVersion: TrackAnalysis.currentVersion,
                    errorCode: "no_audio", message: "no \"MP3\"", attempts: 2, failedAt: now))
        #expect(failure.isFinal(file: file))
        #expect(!failure.isFinal(file: changed))
        #expect(!failure.isFinal(file: file, version: TrackAnalysis.currentVersion + 1))
        try library.recordFailure(path: path, file: changed, errorCode: "e", message: "m")
        #expect(try library.failures().map(\.attempts) == [1])
        try library.record([Sample.record("bad.mp3")], isPresent: Sample.present)
        #expect(try library.failures().isEmpty)
    }

    @Test("A track whose file can no longer be analysed is unavailable")
    func aTrackWhoseFileTurnedBadCannotBePlayed() throws {
        let record = try Sample.record("a.mp3", analysis: Sample.analysis())
        let id = try library.record([record], isPresent: Sample.present)[0]
        let bad = FileState(size: 1, modificationTimeNanoseconds: 1)
        try library.recordFailure(path: record.path, file: bad, errorCode: "e", message: "m", now: now)
        #expect(try library.track(id: id)?.track.unavailableSince == now)
        // The failure of a missing file is deleted.
        try library.markUnavailable(unless: Sample.absent)
        #expect(try library.failures().isEmpty)
    }

    @Test("Pruning removes unreferenced data")
    func pruningRemovesWhatNothingRefersTo() throws {
        let kept = try Sample.record("kept.mp3", hash: 1, analysis: Sample.analysis(1))
        let gone = try Sample.record(
            "gone.mp3", hash: 2, tags: Sample.tags(artist: "Other", album: "Lost"),
            analysis: Sample.analysis(2))
        try library.record([kept, gone], isPresent: Sample.present)
        try library.save(Sample.analysis(3))
        try library.markUnavailable(now: now) { $0 == kept.path }
        let frames = try SpectrumStore(data.folder)
        for number in [1, 2] {
            try frames.save(
                VisualizerSpectra(
                    framesPerSecond: 30, bandCount: 64, levels: [UInt8](repeating: 1, count: number * 64)),
                of: Sample.hash(number))
        }
        let early = try library.prune(goneBefore: now, frames: frames)
        #expect(early.tracks.isEmpty && early.frames == 0)
        #expect(early.analyses == 1 && early.albums == 0 && early.artists == 0)
        let later = now.addingTimeInterval(1)
        let trial = try library.prune(goneBefore: later, frames: frames, isTrial: true)
        #expect(try library.track(path: gone.path) != nil && frames.count() == 2)
        let late = try library.prune(goneBefore: later, frames: frames)
        #expect(late == trial)
        #expect(late.tracks == [PruningResult.Track(path: gone.path, goneSince: now)])
        #expect(late.analyses == 1 && late.albums == 1 && late.artists == 1 && late.frames == 1)
        #expect(try late.frameBytes == 128 && frames.count() == 1)
        #expect(try library.track(path: kept.path)?.analysis == kept.analysis)
        #expect(try library.tracks(matching: "Lost").isEmpty)
    }
}
