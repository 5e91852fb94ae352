import Foundation
import MusicShared
import TestSupport
import Testing

// Serialised, on a separate library, because each test changes its revision.
@Suite("Playlists over HTTP", .serialized, .timeLimit(.minutes(30)))
struct PlaylistRouteTests {
    private static let library = Task {
        try await aside {
            try ServedLibrary(
                (1...4).map {
                    ("\($0).mp3", try Encoders.lame(PCM.music(frameCount: 22_050, seed: $0), ["-b", "64"]))
                })
        }
    }

    private let served: ServedLibrary
    private let ids: [Int]

    init() async throws {
        let served = try await Self.library.value
        self.served = served
        ids = try (1...4).map { try served.id("\($0).mp3") }
    }

    private func send(
        _ method: String, _ path: String, _ json: String? = nil, _ fields: [String] = []
    ) async throws -> ServedLibrary.Answer {
        var options = ["-X", method]
        if let json { options += ["-H", "Content-Type: application/json", "-d", json] }
        return try await served.get(path, options + fields.flatMap { ["-H", $0] })
    }

    private func playlist(_ answer: ServedLibrary.Answer) throws -> PlaylistItem {
        try JSONDecoder().decode(PlaylistItem.self, from: Data(answer.body))
    }

    /// Creates a playlist with a unique name.
    private func make(_ tracks: [Int], _ name: String = UUID().uuidString) async throws -> (
        path: String, tag: String
    ) {
        let answer = try await send(
            "POST", "/api/playlists", "{\"name\": \"\(name)\", \"track_ids\": \(tracks)}")
        #expect(answer.status == 201, "\(answer.text)")
        return (try #require(answer.field("Location")), try #require(answer.field("ETag")))
    }

    @Test("Playlists can be created, read, renamed, reordered and deleted")
    func life() async throws {
        let name = "Ünï \(UUID().uuidString)"
        let made = try await make([ids[0], ids[1]], name)
        let first = try playlist(try await served.get(made.path))
        #expect(first.name == name && first.trackIDs == [ids[0], ids[1]] && first.revision == 1)
        #expect(first.entries?.items.map(\.track.relativePath) == ["1.mp3", "2.mp3"])
        #expect(first.entries?.total == 2 && first.entries?.limit == 500)

        let renamed = try await send(
            "PATCH", made.path, "{\"name\": \" New \(name) \", \"description\": \"two\\nlines\"}",
            ["If-Match: \(made.tag)"])
        #expect(renamed.status == 200)
        #expect(try playlist(renamed).name == "New \(name)" && playlist(renamed).description == "two\nlines")
        let cleared = try await send("PATCH", made.path, "{\"description\": null}")
        #expect(try playlist(cleared).description == nil && playlist(cleared).name == "New \(name)")

        let reordered = try await send(
            "PUT", "\(made.path)/tracks", "{\"track_ids\": [\(ids[2]), \(ids[0]), \(ids[2])]}")
        #expect(try playlist(reordered).trackIDs == [ids[2], ids[0], ids[2]])

        let listed = try await served.get("/api/playlists?limit=500&sort=-changed")
        let page = try JSONDecoder().decode(CataloguePage<PlaylistItem>.self, from: Data(listed.body))
        let item = try #require(page.items.first { $0.id == first.id })
        #expect(item.trackCount == 3 && item.entries == nil && item.trackIDs == nil)

        let paged = try playlist(try await served.get("\(made.path)?limit=1&offset=1"))
        #expect(paged.entries?.items.map(\.position) == [1] && paged.trackIDs?.count == 3)

        #expect(try await send("DELETE", made.path).status == 204)
        #expect(try await served.get(made.path).status == 404)
        #expect(try await send("DELETE", made.path).status == 404)
        #expect(try await send("PATCH", made.path, "{\"name\": \"x\"}").status == 404)
    }

    @Test("Entries can be added, moved and removed")
    func entries() async throws {
        let made = try await make([ids[0], ids[1]])
        let added = try await send("POST", "\(made.path)/entries", "{\"track_ids\": [\(ids[2])]}")
        #expect(try playlist(added).trackIDs == [ids[0], ids[1], ids[2]])
        var tag = try #require(added.field("ETag"))
        let inserted = try await send(
            "POST", "\(made.path)/entries", "{\"track_ids\": [\(ids[3])], \"position\": 0}",
            ["If-Match: \(tag)"])
        #expect(try playlist(inserted).trackIDs == [ids[3], ids[0], ids[1], ids[2]])
        tag = try #require(inserted.field("ETag"))
        let moved = try await send(
            "PATCH", "\(made.path)/entries/3", "{\"position\": 1}", ["If-Match: \(tag)"])
        #expect(try playlist(moved).trackIDs == [ids[3], ids[2], ids[0], ids[1]])
        // The tag from before the move, as if another client had moved the entries.
        let late = try await send("DELETE", "\(made.path)/entries/0", nil, ["If-Match: \(tag)"])
        #expect(late.status == 412)
        #expect(try late.json("error", "code") as? String == "changed_meanwhile")
        tag = try #require(moved.field("ETag"))
        let removed = try await send("DELETE", "\(made.path)/entries/0", nil, ["If-Match: \(tag)"])
        #expect(try playlist(removed).trackIDs == [ids[2], ids[0], ids[1]])
        for (method, path, body) in [
            ("DELETE", "entries/0", nil), ("PATCH", "entries/0", "{\"position\": 1}"),
            ("POST", "entries", "{\"track_ids\": [], \"position\": 1}"),
        ] {
            #expect(try await send(method, "\(made.path)/\(path)", body).status == 428)
        }
        let outside = try await send("DELETE", "\(made.path)/entries/3", nil, ["If-Match: *"])
        #expect(outside.status == 422)
        #expect(try outside.json("error", "field") as? String == "position")
    }

    @Test("The playlist part of the ETag ignores changes of tracks and compression")
    func tags() async throws {
        let made = try await make(ids + ids + ids)
        let plain = try await served.get(made.path)
        let packed = try await served.get(made.path, ["-H", "Accept-Encoding: gzip"])
        let weak = try #require(packed.field("ETag"))
        #expect(packed.field("Content-Encoding") == "gzip" && weak.hasPrefix("W/"))
        #expect(try await served.get(made.path, ["-H", "If-None-Match: \(weak)"]).status == 304)
        // Another playlist changes the library's revision, so the response is new, but this playlist is
        // unchanged.
        _ = try await make([])
        let tag = try #require(plain.field("ETag"))
        #expect(try await served.get(made.path, ["-H", "If-None-Match: \(tag)"]).status == 200)
        #expect(try await send("PATCH", made.path, "{}", ["If-Match: \(weak)"]).status == 200)
        #expect(try await send("PATCH", made.path, "{}", ["If-Match: \(tag)"]).status == 412)
        #expect(try await send("PATCH", made.path, "{}", ["If-Match: junk"]).status == 412)
        #expect(try await send("DELETE", made.path, nil, ["If-Match: \(tag)"]).status == 412)
    }

    @Test(
        "Errors name the invalid field",
        arguments: [
            ("{\"track_ids\": []}", 400, "name"), ("{\"name\": 7}", 422, "name"),
            ("{\"name\": \"  \"}", 422, "name"),
            ("{\"name\": \"a\\u0000b\"}", 422, "name"), ("{\"name\": null}", 422, "name"),
            ("{\"name\": \"x\", \"description\": \"\\u0007\"}", 422, "description"),
            ("{\"name\": \"x\", \"track_ids\": [\"1\"]}", 422, "track_ids"),
            ("{\"name\": \"x\", \"track_ids\": [1.5]}", 400, ""),
            ("{\"name\": \"x\", \"tracks\": []}", 400, "tracks"),
            ("{\"name\": \"never stored\", \"track_ids\": [999999]}", 422, "track_ids"),
            ("[]", 400, ""), ("{", 400, ""), ("", 400, ""), ("null", 400, ""), ("\u{FF}", 400, ""),
        ])
    func invalid(body: String, status: Int, field: String) async throws {
        let answer = try await send("POST", "/api/playlists", body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try answer.json("error", "field") as? String ?? "" == field)
        #expect(try await served.get("/api/playlists?q=never").json("total") as? Int == 0)
    }

    @Test("Names, lists and bodies are limited, and the media type is checked")
    func limits() async throws {
        func post(_ name: String, _ tracks: String = "[]") async throws -> ServedLibrary.Answer {
            let directory = try TemporaryDirectory()
            let body = try directory.write(
                "{\"name\": \"\(name)\", \"track_ids\": \(tracks)}".utf8, as: "body")
            return try await send("POST", "/api/playlists", "@\(body)")
        }
        let long = String(repeating: "ä", count: 200)
        #expect(try await post(long).status == 201)
        #expect(try await post(long).status == 409)
        #expect(try await post(long + "ä").status == 422)
        let many = Array(repeating: ids[0], count: 10_000)
        let full = try await post("full", "\(many)")
        #expect(full.status == 201)
        let more = try await send(
            "POST", try #require(full.field("Location")) + "/entries", "{\"track_ids\": [\(ids[0])]}")
        #expect(more.status == 422)
        #expect(try await post("over", "\(many + [ids[0]])").status == 422)
        #expect(try await post("large", "[" + String(repeating: " ", count: 1 << 20) + "]").status == 413)
        let form = try await served.get("/api/playlists", ["-d", "{\"name\": \"x\"}"])
        #expect(form.status == 415)
        #expect(try await send("PUT", "/api/playlists", "{}").status == 405)
    }

    @Test("Playlists cannot be read or changed without the key")
    func access() async throws {
        let made = try await make([])
        for (method, path) in [
            ("GET", "/api/playlists"), ("POST", "/api/playlists"), ("DELETE", made.path),
            ("PATCH", made.path),
            ("PUT", "\(made.path)/tracks"),
        ] {
            #expect(try await served.get(path, ["-X", method], key: "").status == 401)
        }
        #expect(try await served.get(made.path).status == 200)
    }
}
