import Analyzer
import Catalogue
import Companion
import Foundation
import LibraryStore
import MusicShared
import SQLiteDatabase
import Testing
import TestSupport

@Suite("Listening", .ownAndSharedListening)
struct ListeningTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let store: AccountListening
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        store = try ListeningStores.open(data.folder).account(Account.mainID)
        try library.record(
            [
                Sample.record("a.mp3", hash: 1, tags: Sample.tags("A")),
                Sample.record("b.mp3", hash: 2, tags: Sample.tags("B", artist: "Other", album: "Second")),
                Sample.record("c/twin1.mp3", hash: 3), Sample.record("c/twin2.mp3", hash: 3),
            ], isPresent: Sample.present)
    }

    private func id(_ path: String) throws -> Int {
        try #require(try library.track(path: try Sample.path(path))).track.id
    }

    private func action(
        _ kind: ListeningAction.Kind, _ path: String, at: Double? = nil, id: String? = nil, rating: Int? = nil
    ) -> ListeningAction {
        var action = ListeningAction(kind, actionID: id, at: at)
        action.relativePath = path
        action.rating = rating
        return action
    }

    @discardableResult
    private func apply(_ actions: ListeningAction...) throws -> [ListeningResults.Outcome] {
        try store.apply(actions, now: now).results.map(\.status)
    }

    private func state(_ path: String) throws -> ListeningState {
        let id = try id(path)
        return try #require(try store.look { try $0.track(id: id) }?.listening)
    }

    private func paths(_ list: ListeningList) throws -> [String] {
        try store.look { try $0.tracks(list, limit: 100, offset: 0) }.items.map(\.relativePath)
    }

    @Test("The latest star and rating by the clients' clocks win, in any order of arrival", arguments: 0..<20)
    func lastWriter(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var actions: [ListeningAction] = []
        for index in 0..<30 {
            let at = Double(Int.random(in: 1000...1008, using: &random))
            let kind: ListeningAction.Kind = [.star, .unstar, .rate, .play][index % 4]
            actions.append(
                action(
                    kind, "a.mp3", at: at, id: Bool.random(using: &random) ? "n\(index)" : nil,
                    rating: kind == .rate ? [nil, 1, 3, 5][Int.random(in: 0..<4, using: &random)] : nil))
        }
        try apply(actions[0])
        for action in actions { try apply(action) }
        let first = try state("a.mp3")
        // The same actions again in another store, all at once, shuffled and repeated.
        let other = try TemporaryData()
        let otherLibrary = try LibraryStore(other.folder)
        try otherLibrary.record([Sample.record("a.mp3", hash: 1)], isPresent: Sample.present)
        let second = try ListeningStores.open(other.folder).account(Account.mainID)
        _ = try second.apply((actions + actions).shuffled(using: &random), now: now)
        let id = try #require(try otherLibrary.track(path: try Sample.path("a.mp3"))).track.id
        #expect(try second.look { try $0.track(id: id) }?.listening == first)
        let times = Set(actions.filter { $0.action == .play }.map(\.at))
        #expect(first.playCount == times.count && first.lastPlayedAt == times.compactMap { $0 }.max())
    }

    @Test("Of stars and ratings without a time, the last to arrive wins, also within one millisecond")
    func untimed() throws {
        try apply(action(.rate, "a.mp3", rating: 4), action(.star, "a.mp3"))
        #expect(try state("a.mp3").rating == 4 && state("a.mp3").isStarred)
        try apply(action(.rate, "a.mp3", rating: 2), action(.unstar, "a.mp3"))
        #expect(try state("a.mp3").rating == 2 && !state("a.mp3").isStarred)
        try apply(action(.rate, "a.mp3"))
        #expect(try state("a.mp3").rating == nil)
    }

    @Test("A play counts once, by its id and by its time")
    func plays() throws {
        #expect(try apply(action(.play, "a.mp3", at: 100, id: "x")) == [.applied])
        #expect(try apply(action(.play, "a.mp3", at: 100, id: "x")) == [.duplicate])
        #expect(try apply(action(.play, "a.mp3", at: 200, id: "x")) == [.duplicate])
        #expect(try apply(action(.play, "a.mp3", at: 100)) == [.duplicate])
        #expect(
            try apply(action(.play, "a.mp3", at: 50, id: "y"), action(.play, "b.mp3", at: 100)) == [
                .applied, .applied,
            ])
        #expect(try state("a.mp3").playCount == 2 && state("a.mp3").lastPlayedAt == 100)
        #expect(try paths(.mostPlayed) == ["a.mp3", "b.mp3"])
        #expect(try apply(action(.play, "b.mp3", at: 300)) == [.applied])
        #expect(try paths(.recentlyPlayed) == ["b.mp3", "a.mp3"])
    }

    @Test("A clock that is ahead does not win forever")
    func clockSkew() throws {
        try apply(action(.star, "a.mp3", at: now.timeIntervalSince1970 + 1_000_000))
        #expect(try state("a.mp3").starredAt == now.timeIntervalSince1970)
        let later = now.addingTimeInterval(1)
        _ = try store.apply([action(.unstar, "a.mp3")], now: later)
        #expect(try !state("a.mp3").isStarred)
        // A small difference is accepted.
        try apply(action(.rate, "a.mp3", at: now.timeIntervalSince1970 + 60, rating: 2))
        #expect(try apply(action(.rate, "a.mp3", rating: 3)) == [.outdated])
        #expect(try state("a.mp3").rating == 2)
    }

    @Test("Invalid actions are rejected, and the others are applied")
    func refusals() throws {
        var both = action(.star, "a.mp3")
        both.trackID = 1
        var album = ListeningAction(.play)
        album.albumID = 1
        let actions = [
            action(.star, "none.mp3"), ListeningAction(.star), both, album, action(.rate, "a.mp3", rating: 6),
            action(.star, "a.mp3", rating: 5), action(.star, "a.mp3", at: -1), action(.star, "a.mp3", id: ""),
            action(.star, "a.mp3", at: .infinity), action(.star, "../a.mp3"),
        ]
        let results = try store.apply(actions + [action(.star, "a.mp3")], now: now).results
        #expect(results.map(\.status) == Array(repeating: .refused, count: actions.count) + [.applied])
        #expect(results[0].error?.code == "no_such_track" && results[4].error?.field == "rating")
        #expect(try paths(.starred) == ["a.mp3"])
    }

    @Test("Listening data survives retagging, moves, a rebuilt library, and duplicate files")
    func survives() throws {
        let albumID = try #require(try library.track(path: try Sample.path("a.mp3"))?.track.albumID)
        let artistID = try #require(try library.track(path: try Sample.path("a.mp3"))?.track.artistID)
        var album = ListeningAction(.star, at: 5)
        album.albumID = albumID
        var artist = ListeningAction(.rate, at: 5)
        artist.artistID = artistID
        artist.rating = 4
        try apply(
            action(.star, "a.mp3", at: 1), action(.play, "a.mp3", at: 2),
            action(.rate, "c/twin1.mp3", at: 1, rating: 1),
            action(.rate, "c/twin2.mp3", at: 1, rating: 2), album, artist)

        for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(data.folder.path)/\(name)")
        }
        let rebuilt = try LibraryStore(data.folder)
        let tags = Sample.tags("New", artist: "Renamed", album: "New album")
        try rebuilt.record(
            [
                Sample.record("moved/a.mp3", hash: 1, tags: tags),
                Sample.record("c/twin1.mp3", hash: 3, tags: tags),
                Sample.record("elsewhere.mp3", hash: 3, tags: tags),
            ], isPresent: Sample.present)
        let again = try ListeningStores.open(data.folder).account(Account.mainID)
        func listening(_ path: String) throws -> ListeningState? {
            let id = try #require(try rebuilt.track(path: try Sample.path(path))).track.id
            return try again.look { try $0.track(id: id) }?.listening
        }
        #expect(
            try listening("moved/a.mp3")
                == ListeningState(isStarred: true, starredAt: 1, playCount: 1, lastPlayedAt: 2))
        #expect(try listening("c/twin1.mp3")?.rating == 1 && listening("elsewhere.mp3")?.rating == 2)
        let albums = try again.look { try $0.albums(.starred, limit: 9, offset: 0) }
        #expect(albums.items.map(\.title) == ["New album"] && albums.items[0].listening?.playCount == 1)
        let artists = try again.look { try $0.artists(.rated, limit: 9, offset: 0) }
        #expect(artists.items.map(\.name) == ["Renamed"] && artists.items[0].listening?.rating == 4)
        // A second play of the moved file is added to the same row.
        _ = try again.apply([action(.play, "moved/a.mp3", at: 3)], now: now)
        #expect(try listening("moved/a.mp3")?.playCount == 2)
        #expect(
            try again.look { try $0.history(PlayRange(), limit: 9, offset: 0) }.items.map(\.track?.title) == [
                "New", "New",
            ])
    }

    @Test("History is sorted by time, can be paged and filtered, and deleted with or without its counts")
    func history() throws {
        for time in 1...10 { try apply(action(.play, time % 2 == 0 ? "a.mp3" : "b.mp3", at: Double(time))) }
        func times(_ range: PlayRange = PlayRange(), limit: Int = 100, offset: Int = 0) throws -> [Double] {
            try store.look { try $0.history(range, limit: limit, offset: offset) }.items.map(\.playedAt)
        }
        #expect(try times() == (1...10).reversed().map(Double.init))
        #expect(try times(limit: 3, offset: 2) == [8, 7, 6])
        #expect(try times(PlayRange(from: 3, before: 6)) == [5, 4, 3])
        #expect(try store.deletePlays(in: PlayRange(from: 9), keepsCounts: true) == 2)
        #expect(try state("a.mp3") == ListeningState(playCount: 5, lastPlayedAt: 10))
        #expect(try store.deletePlays(in: PlayRange(from: 7), keepsCounts: false) == 2)
        #expect(try state("a.mp3") == ListeningState(playCount: 4, lastPlayedAt: 6))
        let first = try #require(
            try store.look { try $0.history(PlayRange(), limit: 1, offset: 0) }.items.first)
        #expect(try store.deletePlay(id: first.id) && !store.deletePlay(id: first.id))
        #expect(try store.deletePlays(in: PlayRange(), keepsCounts: false) == 5)
        #expect(try times().isEmpty && state("b.mp3").playCount == 1)
    }

    @Test("Tracks with missing files are not listed, and come back with their data")
    func gone() throws {
        try apply(action(.star, "a.mp3"), action(.star, "b.mp3"), action(.play, "b.mp3", at: 7))
        try library.markUnavailable { $0.text == "a.mp3" }
        #expect(try paths(.starred) == ["a.mp3"])
        let play = try #require(
            try store.look { try $0.history(PlayRange(), limit: 1, offset: 0) }.items.first)
        #expect(play.track == nil && play.title == "B" && play.relativePath == "b.mp3")
        // It can still be rated by its audio hash.
        var late = ListeningAction(.rate)
        late.audioHash = Sample.hash(2).description
        late.rating = 5
        #expect(try apply(late) == [.applied])
        try library.record([Sample.record("b.mp3", hash: 2, modified: 9)], isPresent: Sample.present)
        #expect(try Set(paths(.starred)) == ["a.mp3", "b.mp3"] && state("b.mp3").rating == 5)
    }

    @Test("Concurrent writers lose nothing")
    func writers() async throws {
        let store = store
        let now = now
        @Sendable func play(_ time: Int) -> ListeningAction {
            var action = ListeningAction(.play, actionID: "p\(time)", at: Double(time))
            action.relativePath = "a.mp3"
            return action
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    // Each task repeats half of the next one's plays.
                    for time in 0..<50 { _ = try store.apply([play(writer * 25 + time)], now: now) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try state("a.mp3").playCount == 125)
    }

    @Test("Now playing lists players until they have played the track")
    func nowPlaying() throws {
        var playing = action(.nowPlaying, "a.mp3")
        playing.client = "phone"
        try apply(playing)
        #expect(try store.nowPlaying(now: now).items.map(\.client) == ["phone"])
        #expect(try state("a.mp3").playCount == 0)
        #expect(try store.nowPlaying(now: now.addingTimeInterval(3600)).items.isEmpty)
        var play = action(.play, "a.mp3")
        play.client = "phone"
        try apply(play)
        #expect(try store.nowPlaying(now: now).items.isEmpty)
    }

    @Test("Listening data does not change the library")
    func apart() throws {
        let before = try library.catalogue { try $0.revision }
        try apply(action(.star, "a.mp3"), action(.play, "a.mp3"))
        #expect(try library.catalogue { try $0.revision } == before)
    }
}
