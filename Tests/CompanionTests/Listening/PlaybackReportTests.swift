import Companion
import Foundation
import LibraryStore
import MusicShared
import Testing
import TestSupport

@Suite("Reports of players", .ownAndSharedListening)
struct PlaybackReportTests {
    private let data: TemporaryData
    private let store: AccountListening
    private let ids: [Int]
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    /// Length of the tracks in seconds.
    private let length: Double

    init() throws {
        data = try TemporaryData()
        let library = try LibraryStore(data.folder)
        store = try ListeningStores.open(data.folder).account(Account.mainID)
        ids = try library.record(
            [
                Sample.record("a.mp3", hash: 1, tags: Sample.tags("A"), analysis: Sample.analysis(1)),
                Sample.record("b.mp3", hash: 2, tags: Sample.tags("B"), analysis: Sample.analysis(2)),
            ], isPresent: Sample.present)
        let first = ids[0]
        length = try #require(try store.look { try $0.track(id: first) }?.durationSeconds)
    }

    @discardableResult
    private func report(
        _ state: PlaybackReport.State, _ track: Int = 0, position: Double = 0, at seconds: Double,
        rate: Double = 1, isUncounted: Bool = false
    ) throws -> Bool? {
        try store.take(
            PlaybackReport(
                trackID: ids[track], state: state, positionSeconds: position, rate: rate,
                isUncounted: isUncounted), client: "player", now: start + seconds)
    }

    private func plays(_ track: Int = 0) throws -> Int? {
        let id = ids[track]
        return try store.look { try $0.track(id: id) }?.listening?.playCount
    }

    @Test("A track that stops after half of it counts once, at the time of its start")
    func counted() throws {
        #expect(try report(.starting, at: 0) == false)
        #expect(try report(.playing, at: 1) == false)
        #expect(try plays() == 0)
        #expect(try report(.stopped, position: length * 0.51, at: 1 + length * 0.51) == true)
        #expect(try report(.stopped, position: length * 0.51, at: 2 + length * 0.51) == false)
        #expect(try plays() == 1)
        let page = try store.look { try $0.history(PlayRange(), limit: 5, offset: 0) }
        #expect(page.items.map(\.playedAt) == [start.timeIntervalSince1970])
        #expect(page.items.first?.client == "player")
    }

    @Test("Pauses and skipped parts do not count as played, speed does")
    func playedTime() throws {
        try report(.playing, at: 0)
        try report(.paused, position: length * 0.2, at: length * 0.2)
        #expect(try report(.stopped, position: length * 0.2, at: length * 5) == false)
        try report(.playing, at: 10_000)
        // A seek to the end.
        #expect(try report(.stopped, position: length, at: 10_000 + length * 0.1) == false)
        try report(.playing, at: 20_000, rate: 2)
        #expect(try report(.stopped, position: length * 0.6, at: 20_000 + length * 0.3) == true)
        #expect(try plays() == 1)
    }

    @Test("Another track, or the same one from its start, ends the one before")
    func replaced() throws {
        try report(.playing, at: 0)
        #expect(try report(.starting, 1, at: length) == true)
        #expect(try plays() == 1)
        try report(.playing, 1, at: length + 1)
        #expect(try report(.starting, 1, at: 2 * length + 1) == true)
        #expect(try plays(1) == 1)
        #expect(try report(.stopped, 1, at: 2 * length + 2) == false)
    }

    @Test("What is marked as uncounted and a stop without a start add no play")
    func uncounted() throws {
        try report(.playing, at: 0, isUncounted: true)
        #expect(try report(.stopped, position: length, at: length, isUncounted: true) == false)
        #expect(try report(.stopped, position: length, at: 2 * length) == false)
        // The player was away for a day.
        try report(.playing, at: 3 * length)
        #expect(try report(.stopped, position: length, at: 86_400 + 3 * length) == false)
        #expect(try plays() == 0)
        let unknown = PlaybackReport(
            trackID: 999_999, state: .playing, positionSeconds: 0, rate: 1, isUncounted: false)
        #expect(try store.take(unknown, client: "player", now: start) == nil)
    }

    @Test("The position goes on between reports, and a silent player leaves half an hour after the end")
    func position() throws {
        try report(.playing, position: 1, at: 0, rate: 1.5)
        let session = try #require(store.playbackSessions()["player"])
        #expect(session.position(at: start + 0.5) == 1.75)
        #expect(session.position(at: start + 10 * length) == length)
        let left = (length - 1) / 1.5
        #expect(try store.nowPlaying(now: start + left + 1799).items.map(\.track.title) == ["A"])
        #expect(try store.nowPlaying(now: start + left + 1801).items.isEmpty)
        try report(.paused, position: 2, at: 3)
        #expect(store.playbackSessions()["player"]?.position(at: start + 60) == 2)
        try report(.stopped, position: 2, at: 4)
        #expect(try store.nowPlaying(now: start + 5).items.isEmpty)
    }
}
