import Foundation
import HostAccounts
import HTTPServer
import LibraryStore
import MusicShared
import StreamHost
import Testing
import TestSupport

/// WebSockets of clients of a host that follows another one.
@Suite("WebSockets of followers", .timeLimit(.minutes(30)))
struct FollowingSocketTests {
    private func clientScript(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Clients/\(name)").path(percentEncoded: false)
    }

    @Test("A follower's clients get the events of the whole system, and its own while the primary is away")
    func relay() async throws {
        try await FollowingHost.withProxy { primary, follower, proxy in
            let run = try await PythonClient.run(
                clientScript("follower_sockets.py"),
                [
                    "\(primary.server.port)", "\(follower.server.port)", "\(proxy.port)",
                    primary.secrets.apiKeyText, "\(try primary.id("1.mp3"))",
                ])
            let result = try #require(
                try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any])
            #expect((result["types"] as? [String])?.contains("library_changed") == true)
            for name in ["is_changed_here", "is_starred_here", "plays"] {
                #expect(result[name] as? Bool == true, "\(name)")
            }
            let both = ["of the follower", "of the primary"]
            #expect(result["clients"] as? [[String]] == [both, both])
            #expect(result["lost"] as? [Int] == [1012, 1012])
            #expect(result["welcome"] as? String == "welcome")
            #expect(result["clients_away"] as? [String] == ["again"])
            #expect(result["resumed"] as? [String] == ["welcome", "resync"])
            #expect(result["back"] as? [Int] == [1012, 1012])
            let last = ["at last", "of the primary"]
            #expect(result["clients_back"] as? [[String]] == [last, last])
        }
    }

    @Test("A revoked app password closes the WebSockets that it opened on a follower")
    func revoked() async throws {
        try await FollowingHost.with { primary, follower in
            let passwords = AppPasswords(dataFolder: primary.data.path)
            let password = try passwords.add(account: "owner", name: "phone")
            try await until { try await follower.ask("/auth", key: password).status == 200 }
            async let ends = PythonClient.run(
                "websocket_talk.py",
                ["\(follower.server.port)", "/ws/push", "Authorization: Bearer \(password)", "hush"])
            // The primary has the socket of the follower's client.
            try await until { try await primary.get("/health").json("connected_clients") as? Int == 1 }
            try passwords.remove(account: "owner", name: "phone")
            #expect(try await ends.text.contains("closed \(AccessCloseCode.keyReplaced)"))
        }
    }

    @Test("A follower's client that does not read is closed like one of the primary")
    func slowClient() async throws {
        try await FollowingHost.with { primary, follower in
            let store = try WorkStore(primary.data)
            let start = try store.latestCursor()
            let feed = PushFeed(store)
            // More than all systems on the way buffer for connections that are not read.
            let text = String(repeating: "x", count: 20_000)
            let count = 3_000
            for _ in 0..<count / 100 {
                feed.announce(Array(repeating: .warning(code: "c", message: text), count: 100))
            }
            let run = try await PythonClient.run(
                clientScript("follower_sleeper.py"),
                [
                    "\(follower.server.port)", "\(primary.server.port)", primary.secrets.apiKeyText,
                    "\(start)",
                    "\(PushCloseCode.tooSlow)",
                ])
            let messages = try #require(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(messages < count)
        }
    }
}
