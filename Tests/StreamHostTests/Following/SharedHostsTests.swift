import Foundation
import HostAccounts
import LibraryStore
import PostgreSQLDatabase
import SharedListening
import StreamHost
import Testing
import TestSupport

/// A primary and a follower that share the listening data in PostgreSQL.
@Suite("Hosts with shared listening data", .timeLimit(.minutes(15)))
struct SharedHostsTests {
    private static let star = [
        "-X", "PATCH", "-H", "Content-Type: application/json", "-d", #"{"is_starred": true}"#,
    ]

    private func with(
        _ server: PostgreSQLServer,
        _ body: (ServedLibrary, FollowingHost, FaultProxy, _ address: String) async throws -> Void
    ) async throws {
        let text = try server.makeDatabase("hosts-\(UUID().uuidString)")
        let address = try PostgreSQLAddress(text)
        try await FollowingHost.withProxy(
            shared: { PostgreSQLListening(address) }
        ) { try await body($0, $1, $2, text) }
    }

    private func play(_ track: Int, _ id: String) -> [String] {
        let action = #"{"action": "play", "action_id": "\#(id)", "track_id": \#(track), "at": 1000000000}"#
        return ["-H", "Content-Type: application/json", "-d", #"{"actions": [\#(action)]}"#]
    }

    @Test("Stars and plays are stored while the primary host is away, and arrive on both")
    func primaryAway() async throws {
        try await with(try PostgreSQLServer.shared.get()) { primary, follower, proxy, address in
            let key = primary.secrets.apiKeyText
            let path = "/listening/tracks/\(try primary.id("2.mp3"))"
            let accounts = try Accounts(
                data: primary.data, shared: PostgreSQLListening(try PostgreSQLAddress(address)))
            let password = try accounts.appPasswords.add(account: "owner", name: "test")
            let credentials = "apiKey=\(password)&f=json&c=test&v=1.16.1"
            // Through the primary, and in the follower's copy with the answer.
            #expect(try await follower.ask(path, key: key, Self.star).status == 200)
            #expect(try await follower.ask(path, key: key).json("is_starred") as? Bool == true)
            #expect(try await primary.get(path).json("is_starred") as? Bool == true)

            try await proxy.setFaults(#"[{"match": ".*", "refuse": true}]"#)
            let third = try primary.id("3.mp3")
            let other = "/listening/tracks/\(third)"
            #expect(try await follower.ask(other, key: key, Self.star).json("is_starred") as? Bool == true)
            #expect(
                try await follower.ask("/listening/actions", key: key, play(third, "p")).status == 200)
            let rate = try await follower.ask(
                "/rest/setRating?id=tr-\(third)&rating=4&\(credentials)", key: key)
            #expect(rate.text.contains(#""status":"ok""#), "\(rate.text)")
            try await until {
                let state = try await primary.get(other)
                return try state.json("is_starred") as? Bool == true
                    && state.json("play_count") as? Int == 1 && state.json("rating") as? Int == 4
            }
        }
    }

    @Test("Playlists are changed while the primary host is away, also by OpenSubsonic, and arrive on both")
    func playlists() async throws {
        try await with(try PostgreSQLServer.shared.get()) { primary, follower, proxy, address in
            let key = primary.secrets.apiKeyText
            func json(_ method: String, _ text: String) -> [String] {
                ["-X", method, "-H", "Content-Type: application/json", "-d", text]
            }
            let (second, third) = (try primary.id("2.mp3"), try primary.id("3.mp3"))
            let accounts = try Accounts(
                data: primary.data, shared: PostgreSQLListening(try PostgreSQLAddress(address)))
            let password = try accounts.appPasswords.add(account: "owner", name: "test")
            let credentials = "apiKey=\(password)&f=json&c=test&v=1.16.1"
            // Through the primary, and in the follower's copy with the answer.
            let made = try await follower.ask(
                "/api/playlists", key: key, json("POST", #"{"name": "P", "track_ids": [\#(second)]}"#))
            #expect(made.status == 201)
            let id = try #require(try made.json("id") as? Int)
            let path = "/api/playlists/\(id)"
            let list = try await follower.ask("/api/playlists", key: key)
            #expect(try list.json("total") as? Int == 1)
            // Also if an app changes it with GET.
            for number in 1...5 {
                let renamed = try await follower.ask(
                    "/rest/updatePlaylist?playlistId=pl-\(id)&name=P\(number)&\(credentials)", key: key)
                #expect(renamed.text.contains(#""status":"ok""#), "\(renamed.text)")
                #expect(try await follower.ask(path, key: key).json("name") as? String == "P\(number)")
            }

            let tag = try #require(try await follower.ask("/api/playlists", key: key).field("ETag"))
            try await proxy.setFaults(#"[{"match": ".*", "refuse": true}]"#)
            // The follower sees at its next look that the primary is lost.
            try await until {
                try await follower.ask(
                    "\(path)/entries", key: key, json("POST", #"{"track_ids": [\#(third)]}"#)
                ).status == 200
            }
            let changed = try await follower.ask(path, key: key)
            #expect(try changed.json("track_ids") as? [Int] == [second, third])
            let created = try await follower.ask(
                "/rest/createPlaylist?name=Sub&songId=tr-\(third)&\(credentials)", key: key)
            #expect(created.text.contains(#""status":"ok""#), "\(created.text)")
            // A client that knows the list gets the changed one.
            let lists = try await follower.ask("/api/playlists", key: key, ["-H", "If-None-Match: \(tag)"])
            #expect(lists.status == 200)
            #expect(try lists.json("total") as? Int == 2)
            // On the primary, too, under the same ids.
            try await until {
                let whole = try await primary.get(path)
                let all = try await primary.get("/api/playlists")
                return try whole.json("track_ids") as? [Int] == [second, third]
                    && all.json("total") as? Int == 2
            }
            #expect(try await primary.get(path, json("DELETE", "")).status == 204)

            // The follower goes on with the changes of the primary, and is equal to it.
            try await proxy.setFaults("[]")
            try await until { try await follower.ask(path, key: key).status == 404 }
            try await until {
                let own = try await follower.ask("/api/playlists", key: key)
                let theirs = try await primary.get("/api/playlists")
                return own.field("ETag") == theirs.field("ETag") && own.text.contains(#""Sub""#)
            }
        }
    }

    @Test("A change on one host appears on the other, and both report where it is stored")
    func notice() async throws {
        try await with(try PostgreSQLServer.shared.get()) { primary, follower, _, _ in
            let key = primary.secrets.apiKeyText
            let path = "/listening/tracks/\(try primary.id("1.mp3"))"
            #expect(try await primary.get(path, Self.star).status == 200)
            try await until { try await follower.ask(path, key: key).json("is_starred") as? Bool == true }
            let health = try await follower.ask("/health", key: key)
            #expect(try health.json("shared_listening", "is_reachable") as? Bool == true)
            #expect(
                (try health.json("shared_listening", "place") as? String)?.hasPrefix("postgres://") == true)
            #expect(!health.text.contains("tester@"))
        }
    }

    @Test("While the database is away, changes are refused with 503 and everything else goes on")
    func databaseAway() async throws {
        let server = try PostgreSQLServer()
        try await with(server) { primary, follower, _, _ in
            let key = primary.secrets.apiKeyText
            let path = "/listening/tracks/\(try primary.id("1.mp3"))"
            #expect(try await primary.get(path, Self.star).status == 200)
            server.kill()
            for host in [
                try await primary.get(path, Self.star), try await follower.ask(path, key: key, Self.star),
            ] {
                #expect(host.status == 503)
                #expect(try host.json("error", "code") as? String == "listening_away")
                #expect(host.field("Retry-After") == "5")
            }
            let password = try AppPasswords(dataFolder: primary.data.path).add(account: "owner", name: "test")
            let rate = try await primary.get(
                "/rest/setRating?id=tr-\(try primary.id("1.mp3"))&rating=4&f=json&c=t&v=1.16.1&apiKey=\(password)",
                key: "")
            #expect(rate.text.contains("cannot be reached; try again"), "\(rate.text)")
            #expect(try await primary.get(path).json("is_starred") as? Bool == true)
            #expect(try await follower.ask("/api/tracks", key: key).status == 200)
            try await until {
                try await follower.ask("/health", key: key).json("shared_listening", "is_reachable") as? Bool
                    == false
            }
            try await aside { try server.restart() }
            try await until { try await primary.get(path, Self.star).status == 200 }
            try await until {
                try await follower.ask("/health", key: key).json("shared_listening", "is_reachable") as? Bool
                    == true
            }
        }
    }
}
