import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import StreamHost
import Testing
import TestSupport

/// Two hosts on loopback, of which one follows the other.
@Suite("Hosts that follow another one", .timeLimit(.minutes(30)))
struct FollowingTests {
    /// Everything that a follower copies of the library, and what triggers derive from it.
    private static let dump = """
        SELECT * FROM artists ORDER BY id; SELECT * FROM albums ORDER BY id; SELECT * FROM tracks ORDER BY id;
        SELECT * FROM analyses ORDER BY id; SELECT hex(audio_hash), hex(frame_index), hex(waveform) FROM analysis_details
        ORDER BY 1; SELECT * FROM playlists ORDER BY id; SELECT * FROM playlist_entries ORDER BY 1, 2;
        SELECT * FROM smart_playlists ORDER BY 1; SELECT * FROM album_genres ORDER BY 1, 2;
        SELECT album_id, album, artist, album_artist, track_count FROM album_credits ORDER BY 1, 2, 3, 4;
        SELECT * FROM row_changes ORDER BY 1; SELECT * FROM catalogue_changes ORDER BY 1; SELECT * FROM library_state;
        SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH 'renamed' ORDER BY 1
        """

    private func waitForEqualLibraries(_ primary: ServedLibrary, _ follower: FollowingHost) async throws {
        try await until {
            try sqlite3Tool(primary.library.path, Self.dump).output
                == sqlite3Tool(follower.library, Self.dump).output
        }
    }

    @Test("Edits, removals, playlists and stars through the follower reach both hosts, row by row")
    func changes() async throws {
        try await FollowingHost.with { primary, follower in
            let key = primary.secrets.apiKeyText
            let (first, second) = (try primary.id("1.mp3"), try primary.id("2.mp3"))
            let edit = try await follower.ask(
                "/edit-metadata", key: key, "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                #"{"id": \#(first), "title": "Renamed", "artist": "Other", "album": "New", "genre": "Jazz"}"#)
            #expect(edit.status == 200, "\(edit.text)")
            // The answer waits until the change is here.
            let found = try await follower.ask("/api/tracks/\(first)", key: key)
            #expect(try found.json("title") as? String == "Renamed")
            let playlist = try await follower.ask(
                "/api/playlists", key: key, "-H", "Content-Type: application/json", "-d",
                #"{"name": "Mine", "track_ids": [\#(second), \#(first)]}"#)
            #expect(playlist.status == 201, "\(playlist.text)")
            try await waitForEqualLibraries(primary, follower)

            let star = try await follower.ask(
                "/listening/tracks/\(second)", key: key, "-X", "PATCH", "-H",
                "Content-Type: application/json",
                "-d", #"{"is_starred": true}"#)
            #expect(star.status == 200, "\(star.text)")
            for answer in [
                try await follower.ask("/listening/tracks/\(second)", key: key),
                try await primary.get("/listening/tracks/\(second)"),
            ] {
                #expect(try answer.json("is_starred") as? Bool == true, "\(answer.text)")
            }

            let removal = try await primary.get("/tracks/\(second)", ["-X", "DELETE"])
            #expect((200..<300).contains(removal.status), "\(removal.text)")
            try await until {
                try await !follower.ask("/api/tracks", key: key).text.contains("\"Title 2\"")
            }
            try await waitForEqualLibraries(primary, follower)
            let integrity =
                "PRAGMA integrity_check; PRAGMA foreign_key_check; INSERT INTO tracks_fts (tracks_fts) VALUES ('integrity-check')"
            #expect(try sqlite3Tool(follower.library, integrity).output == "ok\n")
        }
    }

    @Test("A client's revision of the catalogue is valid on both hosts")
    func revisions() async throws {
        try await FollowingHost.with { primary, follower in
            let key = primary.secrets.apiKeyText
            let start = try await primary.get("/api/changes")
            let revision = try #require(try start.json("revision") as? String)
            let edit = try await primary.get(
                "/edit-metadata",
                [
                    "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                    #"{"id": \#(try primary.id("3.mp3")), "title": "Later"}"#,
                ])
            #expect(edit.status == 200, "\(edit.text)")
            try await until {
                let changes = try await follower.ask("/api/changes?since=\(revision)", key: key)
                return try changes.json("is_reset") as? Bool != true && changes.text.contains("\"Later\"")
            }
        }
    }

    @Test("A follower that is too far behind copies the whole library, and keeps private playlists")
    func resync() async throws {
        try await FollowingHost.with { primary, follower in
            let key = primary.secrets.apiKeyText
            let account = try await primary.get(
                "/accounts",
                ["-H", "Content-Type: application/json", "-d", #"{"name": "second", "role": "listener"}"#])
            #expect(account.status == 201, "\(account.text)")
            let playlist = try await primary.get(
                "/api/playlists",
                ["-H", "Content-Type: application/json", "-d", #"{"name": "Private", "track_ids": [1]}"#])
            #expect(playlist.status == 201, "\(playlist.text)")
            try await waitForEqualLibraries(primary, follower)
            // As after more changes than are kept: no state of before is known any more.
            _ = try sqlite3Tool(
                primary.library.path,
                "UPDATE row_changes SET mark = mark + 1; UPDATE tracks SET title = 'Renamed' WHERE id = 1")
            try await until {
                try await follower.ask("/api/tracks/1", key: key).text.contains("\"Renamed\"")
            }
            try await waitForEqualLibraries(primary, follower)
            #expect(try await follower.ask("/api/playlists", key: key).text.contains("\"Private\""))
        }
    }

    @Test("App passwords of the primary open the follower until they are revoked")
    func appPasswords() async throws {
        try await FollowingHost.with { primary, follower in
            let passwords = AppPasswords(dataFolder: primary.data.path)
            let password = try passwords.add(account: "owner", name: "phone")
            try await until { try await follower.ask("/auth", key: password).status == 200 }
            let subsonic = "/rest/getArtists?u=owner&p=\(password)&v=1.16.1&c=test&f=json"
            #expect(try await follower.ask(subsonic, key: "").text.contains("\"ok\""))
            try passwords.remove(account: "owner", name: "phone")
            try await until { try await follower.ask("/auth", key: password).status == 401 }
            #expect(try await follower.ask(subsonic, key: "").text.contains("\"failed\""))
            // Nothing that a client can download holds the password.
            let files = try FileManager.default.contentsOfDirectory(atPath: follower.data.path)
            for file in files where file.contains(".sqlite") {
                let bytes = try Data(contentsOf: URL(filePath: "\(follower.data.path)/\(file)"))
                #expect(bytes.range(of: Data(password.utf8)) == nil, "\(file)")
            }
        }
    }

    @Test("Only the API key itself may copy the data of all accounts")
    func replicaAccess() async throws {
        try await FollowingHost.with { primary, _ in
            let password = try AppPasswords(dataFolder: primary.data.path).add(
                account: "owner", name: "phone")
            for path in ["state", "changes?rows=1-00000000&catalogue=1-00000000", "listening", "credentials"]
            {
                #expect(try await primary.get("/replica/\(path)", key: password).status == 403, "\(path)")
                #expect(try await primary.get("/replica/\(path)", key: "wrong").status == 401, "\(path)")
            }
            let unknown = try await primary.get("/replica/changes?rows=1-00000000&catalogue=1-00000000")
            #expect(unknown.status == 409)
            #expect(try unknown.json("error", "code") as? String == "unknown_state")
        }
    }

    @Test("Audio, covers and spectra come from the primary, and go on from copies when it is away")
    func primaryAway() async throws {
        try await FollowingHost.with { primary, follower in
            let key = primary.secrets.apiKeyText
            let (played, other) = (try primary.id("1.mp3"), try primary.id("2.mp3"))
            let original = [UInt8](try Data(contentsOf: URL(filePath: primary.file("1.mp3"))))
            // The first request is forwarded, and starts a copy of the file.
            #expect(try await follower.ask("/api/files/\(played)/stream", key: key).body == original)
            let part = try await follower.ask("/api/files/\(played)/stream", key: key, "-r", "100-299")
            #expect(part.status == 206 && part.body == Array(original[100..<300]))
            try await until { follower.copiedFiles == ["1.mp3"] }
            let spectra = "/tracks/\(played)/visualizer"
            let levels = try await follower.ask(spectra, key: key)
            #expect(levels.status == 200)
            let segment = "/tracks/\(played)/segments/0.mp3"
            let wanted = try await primary.get(segment).body
            #expect(!wanted.isEmpty)

            await primary.shutdown()
            #expect(try await follower.ask("/api/files/\(played)/stream", key: key).body == original)
            #expect(try await follower.ask(segment, key: key).body == wanted)
            #expect(try await follower.ask(spectra, key: key).body == levels.body)
            #expect(try await follower.ask("/api/tracks", key: key).text.contains("\"Title 3\""))
            #expect(try await follower.ask("/tracks/\(played)/stream.m3u8", key: key).status == 200)
            let missing = try await follower.ask("/api/files/\(other)/stream", key: key)
            #expect(missing.status == 503)
            let change = try await follower.ask(
                "/listening/tracks/\(played)", key: key, "-X", "PATCH", "-H",
                "Content-Type: application/json",
                "-d", #"{"is_starred": true}"#)
            #expect(change.status == 503)
            #expect(try change.json("error", "code") as? String == "primary_away")
            try await until {
                let health = try await follower.ask("/health", key: key)
                return try health.json("following", "is_primary_reachable") as? Bool == false
                    && health.json("following", "last_error") is String
            }
            #expect(try await follower.ask("/ready", key: "").status == 200)
        }
    }

    @Test("A follower answers requests that only read, also those with a body")
    func reading() async throws {
        try await FollowingHost.with { primary, follower in
            let key = primary.secrets.apiKeyText
            let id = try primary.id("2.mp3")
            let star = try await primary.get(
                "/listening/tracks/\(id)",
                ["-X", "PATCH", "-H", "Content-Type: application/json", "-d", #"{"is_starred": true}"#])
            #expect(star.status == 200, "\(star.text)")
            let rules = #"{"rules": {"all": [{"is": {"loved": true}}]}}"#
            func read(_ path: String, _ json: String? = nil) async throws -> ServedLibrary.Answer {
                let body = json.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
                return try await follower.ask(path, key: key, body)
            }
            try await until {
                try await read("/api/smart-playlists/count", rules).json("track_count") as? Int == 1
            }

            await primary.shutdown()
            let starred = try await read("/api/smart-playlists/tracks", rules)
            #expect(try starred.json("total") as? Int == 1 && starred.text.contains("\"Title 2\""))
            let found = try await read("/api/tracks/lookup", #"{"track_ids": [\#(id)]}"#)
            #expect(found.text.contains("\"Title 2\""))
            for path in ["/api/genres", "/api/years", "/api/tracks/random", "/library/map?limit=2"] {
                let answer = try await read(path)
                #expect(answer.status == 200, "\(path) \(answer.text)")
            }
        }
    }

    @Test("A follower with the primary's music folder plays from it, and copies nothing")
    func sharedMusic() async throws {
        try await FollowingHost.with(sharesMusic: true) { primary, follower in
            let key = primary.secrets.apiKeyText
            let original = [UInt8](try Data(contentsOf: URL(filePath: primary.file("1.mp3"))))
            await primary.shutdown()
            let id = try primary.id("1.mp3")
            #expect(try await follower.ask("/api/files/\(id)/stream", key: key).body == original)
            #expect(!FileManager.default.fileExists(atPath: "\(follower.data.path)/fetched"))
        }
    }

    @Test("A host that drains reports it at /ready and goes on serving")
    func draining() async throws {
        try await FollowingHost.with { primary, follower in
            follower.drain()
            let ready = try await follower.ask("/ready", key: "")
            #expect(ready.status == 503)
            #expect(try ready.json("error", "code") as? String == "not_ready")
            #expect(try await follower.ask("/health", key: "").status == 200)
            #expect(try await primary.get("/ready").status == 200)
        }
    }

    @Test("Following never replaces a library of another host")
    func ownLibrary() async throws {
        try await FollowingHost.with { primary, follower in
            let following = Following(
                primary: try PrimaryHost(
                    address: "http://127.0.0.1:\(follower.server.port)", key: primary.secrets.apiKeyText,
                    userAgent: "test"), sharesMusic: false, audioCacheBytes: 1 << 20)
            let error = await #expect(throws: PrimaryHost.Failure.self) {
                try await aside { try following.prepare(primary.data) }
            }
            #expect(error?.description.contains("library of its own") == true)
            #expect(Following.isFollower(follower.data) && !Following.isFollower(primary.data))
        }
    }
}
