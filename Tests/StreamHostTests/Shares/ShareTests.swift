import Companion
import Foundation
import HTTPServer
import LibraryStore
import MusicShared
import Synchronization
import Testing
import TestSupport

@testable import StreamHost

@Suite("Shares", .timeLimit(.minutes(30)))
struct ShareTests {
    private func share(_ served: ServedLibrary, _ content: [String: Any]) async throws -> ShareItem {
        let answer = try await served.send("POST", Routes.shares, content)
        #expect(answer.status == 201, "\(answer.text)")
        return try JSONDecoder().decode(ShareItem.self, from: Data(answer.body))
    }

    @Test("A share opens its tracks without a key, with ranges and covers, and nothing else")
    func open() async throws {
        try await SubsonicLibrary.with { library in
            let served = library.served
            let third = try await library.entry("album", "Third")
            let albumID = try #require((third["id"] as? String).flatMap { Int($0.dropFirst(3)) })
            let item = try await share(
                served,
                ["track_ids": [try served.id("a/1.mp3")], "album_ids": [albumID], "description": "For <you>"])
            #expect(item.path.wholeMatch(of: /\/share\/[A-Za-z0-9_-]{27}/) != nil)
            #expect(item.trackCount == 4 && item.visitCount == 0 && item.user == "owner")
            #expect(abs((item.expiresAt ?? 0) - Date().timeIntervalSince1970 - 365 * 86_400) < 60)

            let contents = try await served.get("\(item.path)/contents", key: "")
            #expect(contents.status == 200 && contents.field("Cache-Control") == "no-store")
            #expect(try contents.json("description") as? String == "For <you>")
            let tracks = try #require(try contents.json("tracks") as? [[String: Any]])
            #expect(tracks.compactMap { $0["title"] as? String } == ["One & <Only>", "Four", "Five", "Six"])
            #expect(!contents.text.contains("mp3"))

            let original = try served.bytes("c/1.mp3")
            let audio = try await served.get("\(item.path)/tracks/2/audio", key: "")
            #expect(audio.status == 200 && Data(audio.body) == original)
            let part = try await served.get("\(item.path)/tracks/2/audio", ["-r", "100-199"], key: "")
            #expect(part.status == 206 && Data(part.body) == original[100...199])
            for wrong in ["0", "5", "-1", "x"] {
                #expect(
                    [400, 404, 422].contains(
                        try await served.get("\(item.path)/tracks/\(wrong)/audio", key: "").status),
                    "\(wrong)")
            }
            #expect(
                try await served.get("/share/\(String(repeating: "A", count: 27))/contents", key: "").status
                    == 404)
            // The address is no key of the API.
            let secret = String(item.path.dropFirst("/share/".count))
            #expect(try await served.get(Routes.tracks, key: secret).status == 401)

            let listed = try await served.get(Routes.shares)
            let page = try JSONDecoder().decode(CataloguePage<ShareItem>.self, from: Data(listed.body))
            #expect(page.total == 1 && page.items[0].visitCount == 1 && page.items[0].lastVisitedAt != nil)
        }
    }

    @Test("A revoked or expired share is refused at once, with the media that it opened")
    func ended() async throws {
        try await SubsonicLibrary.with { library in
            let served = library.served
            let id = try served.id("a/1.mp3")
            func statuses(_ item: ShareItem) async throws -> [Int] {
                var found: [Int] = []
                for part in ["/contents", "/tracks/1/audio"] {
                    found.append(try await served.get(item.path + part, key: "").status)
                }
                return found
            }
            let first = try await share(served, ["track_ids": [id]])
            let second = try await share(served, ["track_ids": [id]])
            #expect(try await statuses(first) == [200, 200])
            #expect(try await served.get("/shares/\(first.id)", ["-X", "DELETE"]).status == 204)
            #expect(try await statuses(first) == [404, 404])
            #expect(
                try await served.get("/shares/\(first.id)", ["-X", "DELETE"]).errorCode == "no_such_share")
            #expect(try await statuses(second) == [200, 200])
            let past = try await served.send("PATCH", "/shares/\(second.id)", ["expires_at": 1_000_000_000])
            #expect(past.status == 200)
            #expect(try await statuses(second) == [404, 404])
            let never = try await served.send("PATCH", "/shares/\(second.id)", ["expires_at": NSNull()])
            #expect(try never.json("expires_at") == nil && never.status == 200)
            #expect(try await statuses(second) == [200, 200])
        }
    }

    @Test("A share follows its playlist, and leaves out deleted tracks")
    func playlist() async throws {
        try await SubsonicLibrary.with { library in
            let served = library.served
            let ids = try ["a/1.mp3", "b/1.mp3"].map { try served.id($0) }
            let playlist = try served.library.makePlaylist(name: "List", trackIDs: ids)
            let item = try await share(served, ["playlist_ids": [playlist]])
            try served.library.editPlaylist(id: playlist, [.insert([try served.id("c/1.mp3")], at: nil)])
            func titles() async throws -> [String] {
                let answer = try await served.get("\(item.path)/contents", key: "")
                return (try answer.json("tracks") as? [[String: Any]] ?? []).texts("title")
            }
            #expect(try await titles() == ["One & <Only>", "Three", "Four"])
            #expect(try await served.get("/tracks/\(ids[1])", ["-X", "DELETE"]).status == 200)
            #expect(try await titles() == ["One & <Only>", "Four"])
        }
    }

    @Test("Items that do not exist, too many and invalid times are rejected")
    func rejected() async throws {
        let served = try await ServedStreams.library.value
        func code(_ content: [String: Any]) async throws -> String? {
            try await served.send("POST", Routes.shares, content).errorCode
        }
        #expect(try await code([:]) == "invalid_field")
        #expect(try await code(["track_ids": [987_654]]) == "no_such_track")
        #expect(try await code(["album_ids": [987_654]]) == "no_such_album")
        #expect(try await code(["playlist_ids": [987_654]]) == "no_such_playlist")
        let id = try served.id("cbr.mp3")
        #expect(try await code(["track_ids": Array(repeating: id, count: 1001)]) == "invalid_field")
        #expect(try await code(["track_ids": [id], "expires_at": -1]) == "invalid_field")
        #expect(
            try await code(["track_ids": [id], "description": String(repeating: "d", count: 1001)])
                == "invalid_field")
        #expect(
            try await served.send("PATCH", "/shares/987654", ["description": "x"]).errorCode
                == "no_such_share")
    }

    @Test("Apps create, change and delete shares; the address leads to the host that they use")
    func apps() async throws {
        try await SubsonicLibrary.with { library in
            let user = try #require(
                try await library.ask("getUser", "username=owner")["user"] as? [String: Any])
            #expect(user["shareRole"] as? Bool == true)
            let song = try library.id("a/1.mp3")
            let answer = try await library.served.get(
                "/rest/createShare?f=json&v=1.16.1&c=t&\(library.credentials)&id=\(song)&description=hi"
                    + "&expires=4102444800000", key: "")
            let response = try #require(
                try answer.json("subsonic-response", "shares", "share") as? [[String: Any]])
            let made = try #require(response.first)
            let url = try #require(made["url"] as? String)
            #expect(url.hasPrefix("\(library.served.base)/share/"))
            #expect((made["expires"] as? String)?.hasPrefix("2100-01-01T00:00:00") == true)
            #expect((made["entry"] as? [[String: Any]])?.texts("id") == [song])
            let path = String(url.dropFirst(library.served.base.count))
            #expect(try await library.served.get("\(path)/tracks/1/audio", key: "").status == 200)
            let id = try #require(made["id"] as? String)
            #expect(try await library.error("updateShare", "id=\(id)&description=there&expires=0") == nil)
            let listed = try await library.list("getShares", "", "shares", "share")
            #expect(listed.texts("description") == ["there"] && listed[0]["expires"] == nil)
            #expect(try await library.error("deleteShare", "id=\(id)") == nil)
            #expect(try await library.served.get("\(path)/tracks/1/audio", key: "").status == 404)
            #expect(try await library.list("getShares", "", "shares", "share").isEmpty)
            for (query, code) in [
                ("", 10), ("id=tr-999999", 70), ("id=ar-1", 70), ("id=\(song)&expires=x", 0),
            ] {
                #expect(try await library.error("createShare", query) == code, "\(query)")
            }
            for query in ["id=999", "id=-1", "id=x"] {
                #expect(try await library.error("deleteShare", query) == 70, "\(query)")
                #expect(try await library.error("updateShare", query) == 70, "\(query)")
            }
        }
    }

    @Test("The log shows no address of a share")
    func log() async throws {
        let lines = Mutex<[String]>([])
        let music = try Encoders.lame(PCM.music(frameCount: 44_100, seed: 1))
        try await ServedLibrary.with(
            [("1.mp3", music)], accessLog: { entry in lines.withLock { $0.append(entry.description) } }
        ) { served in
            let item = try await share(served, ["track_ids": [try served.id("1.mp3")]])
            for part in ["", "/contents", "/tracks/1/audio"] {
                _ = try await served.get(item.path + part, key: "")
            }
            let secret = item.path.dropFirst("/share/".count)
            try await until { lines.withLock { $0.contains { $0.contains("/share/***/tracks/1/audio") } } }
            #expect(lines.withLock { $0.allSatisfy { !$0.contains(secret) } })
        }
    }
}
