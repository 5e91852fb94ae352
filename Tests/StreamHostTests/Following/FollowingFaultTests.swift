import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import StreamHost
import Testing
import TestSupport

/// A host that follows another one over a bad network.
@Suite("Following over a bad network", .timeLimit(.minutes(30)))
struct FollowingFaultTests {
    private static let away = #"[{"match": ".*", "refuse": true}]"#

    private func edit(_ primary: ServedLibrary, title: String) async throws {
        let answer = try await primary.get(
            "/edit-metadata",
            [
                "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                #"{"id": \#(try primary.id("1.mp3")), "title": "\#(title)"}"#,
            ])
        #expect(answer.status == 200, "\(answer.text)")
    }

    private func title(_ primary: ServedLibrary, _ follower: FollowingHost) async throws -> String? {
        let id = try primary.id("1.mp3")
        return try await follower.ask("/api/tracks/\(id)", key: primary.secrets.apiKeyText).json("title")
            as? String
    }

    @Test("The first copy, cut in the middle, is continued, or begun again if the library has changed")
    func firstCopy() async throws {
        try await ServedLibrary.with(FollowingHost.tracks()) { primary in
            let proxy = try FaultProxy(before: Int(primary.server.port))
            defer { proxy.quit() }
            let following = Following(
                primary: try PrimaryHost(
                    address: "http://127.0.0.1:\(proxy.port)", key: primary.secrets.apiKeyText,
                    userAgent: "test"), sharesMusic: false, audioCacheBytes: 1 << 20)
            for changes in [false, true] {
                let directory = try TemporaryDirectory()
                let data = try DataFolder(path: directory.file("data"))
                try await proxy.setFaults(#"[{"match": "^/db", "cut_after": 100000}]"#)
                await #expect(throws: (any Error).self) { try await aside { try following.prepare(data) } }
                #expect(!FileManager.default.fileExists(atPath: data.libraryDatabase))
                if changes { try await edit(primary, title: "Changed") }
                try await proxy.setFaults("[]")
                _ = try await proxy.requests()
                try await aside { try following.prepare(data) }
                #expect(try await proxy.requests().contains(#""range": "bytes=100000-""#))
                #expect(try sqlite3Tool(data.libraryDatabase, "PRAGMA integrity_check").output == "ok\n")
                let titles = "SELECT title FROM tracks ORDER BY id"
                #expect(
                    try sqlite3Tool(data.libraryDatabase, titles).output
                        == sqlite3Tool(primary.library.path, titles).output)
            }
        }
    }

    @Test(
        "While a whole copy is cut again and again, the follower serves the old library, and then the new one"
    )
    func laterCopy() async throws {
        try await FollowingHost.withProxy { primary, follower, proxy in
            // Each attempt goes on where the last was cut: so few bytes that the copy takes hundreds of attempts.
            try await proxy.setFaults(#"[{"match": "^/db", "cut_after": 1000}]"#)
            // As after more changes than are kept: no state of before is known any more.
            _ = try sqlite3Tool(primary.library.path, "UPDATE row_changes SET mark = mark + 1")
            try await edit(primary, title: "Renamed")
            var copies = 0
            try await until {
                // Each answer has the requests since the last one.
                copies += try await proxy.requests().components(separatedBy: "\"/db").count - 1
                return copies >= 2
            }
            #expect(try await title(primary, follower) == "Title 1")
            #expect(try sqlite3Tool(follower.library, "PRAGMA integrity_check").output == "ok\n")
            try await proxy.setFaults("[]")
            try await until { try await title(primary, follower) == "Renamed" }
            #expect(try sqlite3Tool(follower.library, "PRAGMA integrity_check").output == "ok\n")
            try await until {
                try FileManager.default.contentsOfDirectory(atPath: follower.data.path)
                    .allSatisfy { !$0.hasPrefix("following-") }
            }
        }
    }

    @Test(
        "While the primary is away, reading goes on and changes are refused; once it is back, its changes arrive"
    )
    func awayAndBack() async throws {
        try await FollowingHost.withProxy { primary, follower, proxy in
            let key = primary.secrets.apiKeyText
            try await proxy.setFaults(Self.away)
            try await until {
                try await follower.ask("/health", key: key).json("following", "is_primary_reachable") as? Bool
                    == false
            }
            try await edit(primary, title: "Meanwhile")
            #expect(try await title(primary, follower) == "Title 1")
            let star = [
                "-X", "PATCH", "-H", "Content-Type: application/json", "-d", #"{"is_starred": true}"#,
            ]
            let path = "/listening/tracks/\(try primary.id("2.mp3"))"
            let refused = try await follower.ask(path, key: key, star)
            #expect(refused.status == 503)
            #expect(try refused.json("error", "code") as? String == "primary_away")

            try await proxy.setFaults("[]")
            try await until { try await title(primary, follower) == "Meanwhile" }
            try await until { try await follower.ask(path, key: key, star).status == 200 }
            #expect(try await primary.get(path).json("is_starred") as? Bool == true)
            try await until {
                let health = try await follower.ask("/health", key: key)
                return try health.json("following", "is_primary_reachable") as? Bool == true
                    && health.json("following", "last_error") == nil
                    && health.json("following", "seconds_behind") as? Double == 0
            }
        }
    }

    @Test("A revoked app password is rejected even while a copy of the library does not end")
    func revokedDuringCopy() async throws {
        try await FollowingHost.withProxy { primary, follower, proxy in
            let passwords = AppPasswords(dataFolder: primary.data.path)
            let password = try passwords.add(account: "owner", name: "phone")
            try await until { try await follower.ask("/auth", key: password).status == 200 }
            try await proxy.setFaults(#"[{"match": "^/replica/changes", "hang": true}]"#)
            _ = try await proxy.requests()
            try await edit(primary, title: "Waiting")
            try await until { try await proxy.requests().contains("/replica/changes") }
            try passwords.remove(account: "owner", name: "phone")
            try await until { try await follower.ask("/auth", key: password).status == 401 }
            #expect(try await title(primary, follower) == "Title 1")
            try await proxy.setFaults("[]")
            try await until { try await title(primary, follower) == "Waiting" }
        }
    }

    @Test("A lowered role applies even while a copy of the library does not end")
    func roleDuringCopy() async throws {
        try await FollowingHost.withProxy { primary, follower, proxy in
            let made = try await primary.send("POST", "/accounts", ["name": "second", "role": "owner"])
            #expect(made.status == 201, "\(made.text)")
            let id = try #require(try made.json("id") as? Int)
            let password = try AppPasswords(dataFolder: primary.data.path).add(
                account: "second", name: "phone")
            try await until { try await follower.ask("/metrics", key: password).status == 200 }
            try await proxy.setFaults(#"[{"match": "^/replica/changes", "hang": true}]"#)
            _ = try await proxy.requests()
            try await edit(primary, title: "Waiting")
            try await until { try await proxy.requests().contains("/replica/changes") }
            let lowered = try await primary.send("PATCH", "/accounts/\(id)", ["role": "listener"])
            #expect(lowered.status == 200, "\(lowered.text)")
            try await until { try await follower.ask("/metrics", key: password).status == 403 }
            #expect(try await title(primary, follower) == "Title 1")
            try await proxy.setFaults("[]")
            // The rest of the change arrives as well, and the role stays.
            try await until { try await title(primary, follower) == "Waiting" }
            try await until {
                let copy = try ListeningStore(follower.data).state
                return try copy == ListeningStore(primary.data).state
            }
            #expect(try await follower.ask("/metrics", key: password).status == 403)
        }
    }

    @Test("A replaced API key is rejected by the follower, and app passwords go on working")
    func replacedKey() async throws {
        try await FollowingHost.with { primary, follower in
            let old = primary.secrets.apiKeyText
            let password = try AppPasswords(dataFolder: primary.data.path).add(
                account: "owner", name: "phone")
            try await until { try await follower.ask("/auth", key: password).status == 200 }
            #expect(try await follower.ask("/auth", key: old).status == 200)
            _ = try HostSecrets.regenerate(dataFolder: primary.data.path)
            try await until { try await follower.ask("/auth", key: old).status == 401 }
            #expect(try await follower.ask("/auth", key: password).status == 200)
            #expect(follower.reports.contains { $0.contains("restart this host with the key") })
        }
    }
}
