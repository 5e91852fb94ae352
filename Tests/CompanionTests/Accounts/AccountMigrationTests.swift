import Analyzer
import Catalogue
import Foundation
import MusicShared
import SQLiteDatabase
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion

/// A data folder of version 0.1.0, written by SQL, is opened by this version.
@Suite("Upgrade to accounts")
struct AccountMigrationTests {
    private let data: TemporaryData

    init() throws { data = try TemporaryData() }

    /// Opens a database with the schema of version 0.1.0.
    private func old(_ path: String, _ migrations: [Migration], _ count: Int, _ id: Int32) throws -> Database
    {
        let database = try Database(path: path)
        try database.migrate(Array(migrations.prefix(count)), applicationID: id)
        return database
    }

    private func fill() throws {
        let listening = try old(
            data.folder.listeningDatabase, ListeningSchema.migrations, 2, ListeningSchema.applicationID)
        try listening.executeScript(
            """
            INSERT INTO listened (id, kind, audio_hash, place, title, is_starred, starred_at_ms, rating,
                rated_at_ms, play_count, last_played_at_ms)
            VALUES (3, 'track', x'\(Sample.hash(1))', 'a.mp3', 'A', 1, 5000, 4, 6000, 2, 8000),
                (7, 'artist', x'', 'artist', 'Artist', 1, 9000, NULL, NULL, 0, NULL),
                (9, 'track', x'\(Sample.hash(3))', 'gone.mp3', 'Gone', 0, NULL, 1, 7000, 0, NULL);
            DELETE FROM listened WHERE id = 9;
            INSERT INTO listened_members VALUES (7, x'\(Sample.hash(1))');
            INSERT INTO plays (id, listened_id, played_at_ms, seconds_played, client)
            VALUES (4, 3, 7000, 12.5, 'phone'), (5, 3, 8000, NULL, NULL), (6, 3, 9000, NULL, NULL);
            DELETE FROM plays WHERE id = 6;
            INSERT INTO done_actions VALUES ('x', \(Int(Date().timeIntervalSince1970 * 1000)));
            INSERT INTO play_queues VALUES ('older', 0, 1, 1000, 'app1'), ('owner', 0, 2500, 2000, 'app2');
            INSERT INTO play_queue_entries VALUES ('older', 0, x'\(Sample.hash(2))', 'b.mp3'),
                ('owner', 0, x'\(Sample.hash(1))', 'a.mp3'), ('owner', 1, x'\(Sample.hash(2))', 'b.mp3');
            INSERT INTO bookmarks VALUES ('older', x'\(Sample.hash(1))', 'a.mp3', 1, 'old', 1, 1),
                ('owner', x'\(Sample.hash(1))', 'a.mp3', 2, 'new', 1, 2);
            INSERT INTO radio_stations (name, stream_url) VALUES ('R', 'http://r');
            UPDATE listening_state SET epoch = 'feed', revision = 41;
            """)
        let library = try old(
            data.folder.libraryDatabase, LibrarySchema.migrations, 7, LibrarySchema.applicationID)
        for (number, name) in ["a.mp3", "b.mp3"].enumerated() {
            try library.execute(
                """
                INSERT INTO tracks (id, relative_path, audio_hash, file_size, modified_at_ns, title,
                    is_compilation, has_cover, tag_kinds, added_at_ms, changed_at_ms)
                VALUES (?, ?, ?, 1, 1, 'T', 0, 0, 0, 1, 1)
                """, [number + 1, name, Sample.hash(number + 1).bytes])
        }
        try library.executeScript(
            """
            INSERT INTO playlists (id, name, name_sort, description, revision, created_at_ms, changed_at_ms)
            VALUES (2, 'Öl', 'ol', 'D', 5, 1000, 2000), (8, 'Last', 'last', NULL, 1, 1, 1);
            DELETE FROM playlists WHERE id = 8;
            INSERT INTO playlist_entries VALUES (2, 0, 2), (2, 1, 1), (2, 2, 2);
            """)
    }

    @Test("Listening data belongs to the account of the API key, unchanged")
    func listening() throws {
        try fill()
        _ = try LibraryStore(data.folder)
        let store = try ListeningStore(data.folder)
        let main = store.account(Account.mainID)
        #expect(try store.accounts.map(\.id) == [Account.mainID])
        try main.look { reader in
            let expected = ListeningState(
                isStarred: true, starredAt: 5, rating: 4, playCount: 2, lastPlayedAt: 8)
            #expect(try reader.track(id: 1)?.listening == expected)
            let plays = try reader.history(PlayRange(), limit: 9, offset: 0).items
            #expect(plays.map(\.id) == [5, 4] && plays.map(\.playedAt) == [8, 7])
            #expect(plays.map(\.secondsPlayed) == [nil, 12.5] && plays.map(\.client) == [nil, "phone"])
            #expect(try reader.exportedStates(after: 0, limit: 9).map(\.id) == [3, 7])
        }
        let queue = try #require(try main.queue())
        #expect(queue.tracks.map(\.id) == [1, 2] && queue.currentIndex == 0)
        #expect(queue.positionMilliseconds == 2500 && queue.changedAt == 2 && queue.changedBy == "app2")
        #expect(try main.bookmarks().map(\.comment) == ["new"] && store.radioStations().map(\.name) == ["R"])
        // An action that was applied before the upgrade is still a duplicate, and ids go on.
        var again = ListeningAction(.play, actionID: "x", at: 1)
        again.trackID = 2
        #expect(try main.apply([again]).results.map(\.status) == [.duplicate])
        again.actionID = "y"
        #expect(try main.apply([again]).results.map(\.status) == [.applied])
        #expect(try main.look { try $0.plays(after: 5, limit: 9) }.map(\.id) == [7])
        let rows = try sqlite3Tool(
            data.folder.listeningDatabase,
            """
            SELECT max(id) FROM listened; SELECT count(*) FROM listened_members; SELECT epoch FROM listening_state;
            SELECT revision > 41 FROM listening_state; PRAGMA foreign_key_check; PRAGMA integrity_check;
            SELECT count(*) FROM sqlite_schema WHERE name LIKE 'own%';
            """
        ).output
        #expect(rows == "10\n1\nfeed\n1\nok\n0\n")
    }

    @Test("Playlists belong to this account and stay visible to everyone")
    func playlists() throws {
        try fill()
        let library = try LibraryStore(data.folder)
        let playlist = try #require(
            try library.catalogue { try $0.playlist(id: 2, limit: 9, offset: 0, visibleTo: 77) })
        #expect(playlist.ownerID == Account.mainID && playlist.isPublic == true)
        #expect(playlist.name == "Öl" && playlist.description == "D" && playlist.revision == 5)
        #expect(playlist.createdAt == 1 && playlist.changedAt == 2 && playlist.trackIDs == [2, 1, 2])
        #expect(try library.makePlaylist(name: "Öl", ownerID: 2) == 9)
        let rows = try sqlite3Tool(
            data.folder.libraryDatabase,
            """
            DELETE FROM tracks WHERE id = 1; SELECT revision FROM playlists WHERE id = 2;
            PRAGMA foreign_keys = ON; DELETE FROM playlists WHERE id = 2; SELECT count(*) FROM playlist_entries;
            PRAGMA foreign_key_check; PRAGMA integrity_check;
            SELECT count(*) FROM sqlite_schema WHERE name LIKE 'owned%';
            """
        ).output
        #expect(rows == "6\n0\nok\n0\n")
    }
}
