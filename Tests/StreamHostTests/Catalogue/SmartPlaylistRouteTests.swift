import Analyzer
import Foundation
import HostAccounts
import LibraryStore
import MusicShared
import Tagging
import TestSupport
import Testing
import Threads

// Serialised, on a separate library, because each test changes its revision.
@Suite("Smart playlists over HTTP", .serialized, .timeLimit(.minutes(30)))
struct SmartPlaylistRouteTests {
    private static let library = Task {
        try await aside {
            try ServedLibrary(
                (1...4).map {
                    (
                        "\($0).mp3",
                        try Encoders.lame(
                            PCM.music(frameCount: 22_050, seed: $0),
                            ["-b", "64", "--tt", "Song \($0)", "--ty", "\(1990 + $0)"])
                    )
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
        _ method: String, _ path: String, _ json: String, _ fields: [String] = []
    ) async throws -> ServedLibrary.Answer {
        try await served.get(
            path,
            ["-X", method, "-H", "Content-Type: application/json", "-d", json]
                + fields.flatMap { ["-H", $0] })
    }

    private func playlist(_ answer: ServedLibrary.Answer) throws -> PlaylistItem {
        try JSONDecoder().decode(PlaylistItem.self, from: Data(answer.body))
    }

    private func error(_ answer: ServedLibrary.Answer) throws -> [String: String] {
        let body = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: [String: String]]
        return try #require(body?["error"])
    }

    private func unique(_ name: String = "Smart") -> String { "\(name) \(UUID().uuidString)" }

    @Test("Requests that wait for rules leave the host threads for others")
    func waiting() async throws {
        let file = ("1.mp3", try Encoders.lame(PCM.music(frameCount: 22_050, seed: 1), ["-b", "64"]))
        try await ServedLibrary.with([file], parts: []) { served in
            // Rules that take much longer than the first albums.
            let tracks = try (0..<2_000).map { number in
                var tags = TrackTags()
                tags.title = "Song \(number)"
                tags.comment = String(repeating: "words ", count: 40)
                return TrackRecord(
                    path: try #require(RelativePath(text: "Song \(number).mp3")),
                    file: FileState(size: 1000, modificationTimeNanoseconds: number),
                    audioHash: try #require(
                        AudioHash(bytes: [UInt8](repeating: UInt8(number % 256), count: 16))),
                    tags: tags, analysis: nil)
            }
            _ = try await aside { try served.library.record(tracks) { _ in true } }
            let conditions = (0..<200).map { #"{"contains": {"comment": "word \#($0)"}}"# }
            let rules = #"{"rules": {"any": [\#(conditions.joined(separator: ","))]}}"#
            let finished = Turnstile(0)
            try await withThrowingTaskGroup { group in
                for _ in 0..<40 {
                    group.addTask {
                        let answer = try await served.get(
                            "/api/smart-playlists/count",
                            ["-H", "Content-Type: application/json", "-d", rules])
                        #expect(answer.status == 200, "\(answer.text)")
                        finished.change { $0 += 1 }
                    }
                }
                try await until { finished.read { $0 } > 0 }
                #expect(try await served.get("/api/albums").status == 200)
                // In turn with the others, it would be the last one.
                #expect(finished.read { $0 } < 20)
                try await group.waitForAll()
            }
        }
    }

    @Test("A smart playlist is created, listed with its count, read in pages, changed and deleted")
    func life() async throws {
        let made = try await send(
            "POST", "/api/playlists",
            #"{"name": "\#(unique())", "rules": {"all": [{"gt": {"year": 1991}}], "sort": "-year"}}"#)
        #expect(made.status == 201, "\(made.text)")
        let path = try #require(made.field("Location"))
        #expect(try playlist(made).trackIDs == [ids[3], ids[2], ids[1]] && playlist(made).trackCount == 3)
        let page = try playlist(try await served.get("\(path)?limit=1&offset=1"))
        #expect(page.entries?.items.map(\.track.id) == [ids[2]] && page.entries?.total == 3)
        #expect(page.rules?.sort == "-year" && page.durationSeconds > 1)
        let list = try JSONDecoder().decode(
            CataloguePage<PlaylistItem>.self,
            from: Data(try await served.get("/api/playlists?limit=500").body))
        #expect(list.items.first { $0.id == page.id }?.trackCount == 3)

        let changed = try await send(
            "PATCH", path, #"{"rules": {"any": [{"lt": {"year": 1992}}], "limit": 1}}"#,
            ["If-Match: \(try #require(made.field("ETag")))"])
        #expect(try changed.status == 200 && playlist(changed).trackIDs == [ids[0]])
        for (method, place, body) in [
            ("PUT", "/tracks", #"{"track_ids": []}"#), ("POST", "/entries", #"{"track_ids": [\#(ids[0])]}"#),
        ] {
            let refused = try await send(method, path + place, body)
            #expect(try refused.status == 409 && error(refused)["code"] == "smart_playlist")
        }
        #expect(try await served.get(path, ["-X", "DELETE"]).status == 204)
    }

    @Test("The entity tags of lists and of smart playlists change with the listening data")
    func tags() async throws {
        let made = try await send(
            "POST", "/api/playlists",
            #"{"name": "\#(unique())", "rules": {"all": [{"is": {"loved": true}}]}}"#)
        let path = try #require(made.field("Location"))
        func ask(_ path: String, _ tag: String?) async throws -> ServedLibrary.Answer {
            try await served.get(path, tag.map { ["-H", "If-None-Match: \($0)"] } ?? [])
        }
        let (one, list) = (try await ask(path, nil), try await ask("/api/playlists", nil))
        #expect(try await ask(path, one.field("ETag")).status == 304)
        #expect(try await ask("/api/playlists", list.field("ETag")).status == 304)
        let star = try await send(
            "PATCH", "/listening/tracks/\(ids[1])", #"{"is_starred": true}"#)
        #expect(star.status == 200, "\(star.text)")
        let after = try await ask(path, one.field("ETag"))
        #expect(try after.status == 200 && playlist(after).trackIDs == [ids[1]])
        #expect(try await ask("/api/playlists", list.field("ETag")).status == 200)
    }

    @Test("Rules are counted before they are stored")
    func count() async throws {
        let answer = try await send(
            "POST", Routes.smartPlaylistCount, #"{"rules": {"all": [{"gt": {"year": 1991}}], "limit": 2}}"#)
        let count = try JSONDecoder().decode(SmartPlaylistCount.self, from: Data(answer.body))
        #expect(count.trackCount == 2 && count.matchingCount == 3 && count.durationSeconds > 0.5)
    }

    /// Asks for the tracks of rules.
    private func list(
        _ rules: String, _ others: String = "", key: String? = nil
    ) async throws -> CataloguePage<TrackItem> {
        let answer = try await served.get(
            Routes.smartPlaylistTracks,
            ["-H", "Content-Type: application/json", "-d", #"{"rules": \#(rules)\#(others)}"#], key: key)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(CataloguePage<TrackItem>.self, from: Data(answer.body))
    }

    @Test("The tracks that rules select are listed in their order and in pages, without being stored")
    func tracks() async throws {
        let rules = #"{"all": [{"gt": {"year": 1991}}], "sort": "-year""#
        let all = try await list("\(rules)}")
        #expect(all.items.map(\.id) == [ids[3], ids[2], ids[1]] && all.total == 3)
        #expect(
            all.limit == 100 && all.offset == 0 && all.items.map(\.title) == ["Song 4", "Song 3", "Song 2"])
        let last = try await list("\(rules)}", #", "limit": 2, "offset": 2"#)
        #expect(last.items.map(\.id) == [ids[1]] && last.total == 3 && last.limit == 2 && last.offset == 2)
        // The rules' own limit is that of the list, not of the page.
        let limited = try await list(#"\#(rules), "limit": 2}"#, #", "limit": 500"#)
        #expect(limited.items.map(\.id) == [ids[3], ids[2]] && limited.total == 2)
        let beyond = try await list("\(rules)}", #", "offset": 2147483647"#)
        #expect(beyond.items.isEmpty && beyond.total == 3)
    }

    @Test("A seed makes another random order, which is the same for all pages")
    func seeds() async throws {
        let rules = #"{"all": [{"gt": {"year": 1}}], "sort": "random"}"#
        var orders: Set<[Int]> = []
        for seed in [0, 1, 7, 123_456_789, 9_007_199_254_740_991] {
            let order = try await list(rules, #", "seed": \#(seed)"#).items.map(\.id)
            #expect(order.sorted() == ids.sorted())
            var pages: [Int] = []
            for offset in 0..<4 {
                pages += try await list(rules, #", "seed": \#(seed), "limit": 1, "offset": \#(offset)"#)
                    .items.map(\.id)
            }
            #expect(pages == order)
            orders.insert(order)
        }
        #expect(orders.count > 1)
        // Without a seed, the order is that of a playlist on this day.
        let made = try await send("POST", "/api/playlists", #"{"name": "\#(unique())", "rules": \#(rules)}"#)
        #expect(try await list(rules).items.map(\.id) == playlist(made).trackIDs)
    }

    @Test("Rules on ratings read those of the caller, also right after a change")
    func ratings() async throws {
        let name = "listener-\(UUID().uuidString.prefix(8))".lowercased()
        let account = try await send("POST", Routes.accounts, #"{"name": "\#(name)", "role": "listener"}"#)
        #expect(account.status == 201, "\(account.text)")
        let password = try AppPasswords(dataFolder: served.data.path).add(account: name, name: "app")
        let rules = #"{"all": [{"gt": {"rating": 3}}], "sort": "title"}"#
        func rate(_ number: Int, _ rating: String, key: String? = nil) async throws {
            let answer = try await served.get(
                "/listening/tracks/\(ids[number])",
                [
                    "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                    #"{"rating": \#(rating)}"#,
                ], key: key)
            #expect(answer.status == 200, "\(answer.text)")
        }
        try await rate(0, "5")
        try await rate(2, "4")
        try await rate(1, "5", key: password)
        #expect(try await list(rules).items.map(\.id) == [ids[0], ids[2]])
        #expect(try await list(rules, key: password).items.map(\.id) == [ids[1]])
        try await rate(0, "null")
        #expect(try await list(rules).items.map(\.id) == [ids[2]])
        try await rate(2, "2")
        #expect(try await list(rules).total == 0)
        #expect(try await list(rules, key: password).total == 1)
    }

    @Test("Tracks whose files are gone are in no list of rules")
    func unavailable() async throws {
        let rules = #"{"all": [{"gt": {"year": 1}}], "sort": "year"}"#
        #expect(try await list(rules).items.map(\.id) == ids)
        func setUnavailable(_ value: String) throws {
            _ = try sqlite3Tool(
                served.library.path,
                """
                UPDATE tracks SET unavailable_since_ms = \(value) WHERE id = \(ids[1]);
                UPDATE library_state SET revision = revision + 1;
                """)
        }
        try setUnavailable("1")
        #expect(try await list(rules).items.map(\.id) == [ids[0], ids[2], ids[3]])
        #expect(try await list(rules).total == 3)
        try setUnavailable("NULL")
        #expect(try await list(rules).items.map(\.id) == ids)
    }

    @Test(
        "Wrong pages of rules are rejected with the field",
        arguments: [
            (#", "limit": 0"#, 422, "invalid_field", "limit"),
            (#", "limit": 501"#, 422, "invalid_field", "limit"),
            (#", "limit": "1""#, 422, "invalid_field", "limit"),
            (#", "offset": -1"#, 422, "invalid_field", "offset"),
            (#", "seed": "x""#, 422, "invalid_field", "seed"),
            (#", "seed": -1"#, 422, "invalid_field", "seed"),
            (#", "sort": "title""#, 400, "unknown_field", "sort"),
        ])
    func wrongPages(others: String, status: Int, code: String, field: String) async throws {
        let answer = try await send(
            "POST", Routes.smartPlaylistTracks, #"{"rules": {"all": [{"gt": {"year": 1}}]}\#(others)}"#)
        #expect(try answer.status == status && error(answer)["code"] == code, "\(answer.text)")
        #expect(try error(answer)["field"] == field)
    }

    @Test("Lists of rules need the rules, and the API key or an app password")
    func neededForLists() async throws {
        let answer = try await send("POST", Routes.smartPlaylistTracks, #"{"limit": 1}"#)
        #expect(try answer.status == 400 && error(answer)["field"] == "rules", "\(answer.text)")
        let body = [
            "-H", "Content-Type: application/json", "-d", #"{"rules": {"all": [{"gt": {"year": 1}}]}}"#,
        ]
        #expect(try await served.get(Routes.smartPlaylistTracks, body, key: "").status == 401)
    }

    @Test("Every field is listed with operators that rules with it accept")
    func fields() async throws {
        let answer = try await served.get(Routes.smartPlaylistFields)
        let fields = try JSONDecoder().decode([String: [SmartFieldItem]].self, from: Data(answer.body))[
            "items"]
        #expect(try #require(fields).count > 50)
        for field in try #require(fields) {
            let conditions = field.operators.map { name in
                let value =
                    switch (name, field.kind) {
                    case ("isMissing", _), ("isPresent", _), (_, .flag): "true"
                    case ("inTheLast", _), ("notInTheLast", _): "3"
                    case ("inTheRange", .date): #"["2024-01-01", "2024-02-01"]"#
                    case ("inTheRange", _): "[1, 2]"
                    case (_, .date): #""2024-01-01""#
                    case (_, .number): "1"
                    case (_, .text): "\"\(field.choices?.first ?? "x")\""
                    }
                return #"{"\#(name)": {"\#(field.name)": \#(value)}}"#
            }
            let rules =
                #"{"rules": {"all": [\#(conditions.joined(separator: ","))], "sort": "\#(field.name)"}}"#
            let answer = try await send("POST", Routes.smartPlaylistCount, rules)
            #expect(answer.status == 200, "\(rules) \(answer.text)")
        }
    }

    @Test(
        "Wrong rules are rejected with 422 and the place",
        arguments: [
            (#"{"all": [{"gt": {"tempoo": 1}}]}"#, "rules.all[0].gt.tempoo"),
            (#"{"all": [{"larger": {"bpm": 1}}]}"#, "rules.all[0].larger"),
            (#"{"any": [{"gt": {"bpm": "fast"}}]}"#, "rules.any[0].gt.bpm"),
            (#"{"all": [{"is": {"loved": true}}], "sort": "speed"}"#, "rules.sort"), (#"{}"#, "rules.all"),
        ])
    func wrongRules(rules: String, place: String) async throws {
        for (method, path, body) in [
            ("POST", "/api/playlists", #"{"name": "\#(unique())", "rules": \#(rules)}"#),
            ("POST", Routes.smartPlaylistCount, #"{"rules": \#(rules)}"#),
            ("POST", Routes.smartPlaylistTracks, #"{"rules": \#(rules)}"#),
        ] {
            let answer = try await send(method, path, body)
            #expect(try answer.status == 422 && error(answer)["code"] == "invalid_rules", "\(answer.text)")
            #expect(try error(answer)["field"] == place)
        }
    }

    @Test("Navidrome's files are imported and exported without a loss")
    func files() async throws {
        let name = unique("80's Top Songs")
        let file = """
            {"name": "\(name)", "comment": "Of the decade", "all": [{"any": [{"is": {"loved": true}}, \
            {"gt": {"rating": 3}}]}, {"inTheRange": {"year": [1981, 1990]}}], "sort": "year", "order": "desc", "limit": 25}
            """
        let made = try await send("POST", Routes.smartPlaylists, file)
        #expect(made.status == 201, "\(made.text)")
        #expect(try playlist(made).name == name && playlist(made).description == "Of the decade")
        let exported = try await served.get("\(try #require(made.field("Location")))/nsp")
        let expected = try #require(
            try JSONSerialization.jsonObject(with: Data(file.utf8)) as? [String: Any])
        let written = try #require(
            try JSONSerialization.jsonObject(with: Data(exported.body)) as? [String: Any])
        var kept = written
        #expect(kept.removeValue(forKey: "public") as? Bool == false)
        #expect(NSDictionary(dictionary: kept) == NSDictionary(dictionary: expected))

        let renamed = unique("Another")
        let query = "?name=\(renamed.replacing(" ", with: "%20"))"
        #expect(try playlist(try await send("POST", Routes.smartPlaylists + query, file)).name == renamed)
        #expect(try await send("POST", Routes.smartPlaylists, file).status == 409)
        let wrong = try await send(
            "POST", Routes.smartPlaylists, #"{"name": "x", "all": [{"is": {"mood2": 1}}]}"#)
        #expect(try wrong.status == 422 && error(wrong)["message"]?.contains("mood2") == true)
        let nameless = try await send("POST", Routes.smartPlaylists, #"{"all": [{"is": {"loved": true}}]}"#)
        #expect(try nameless.status == 400 && error(nameless)["field"] == "name")
    }

    @Test("An ordinary playlist has no rules to export or change")
    func ordinary() async throws {
        let made = try await send("POST", "/api/playlists", #"{"name": "\#(unique())"}"#)
        let path = try #require(made.field("Location"))
        let file = try await served.get("\(path)/nsp")
        #expect(try file.status == 409 && error(file)["code"] == "no_rules")
        let patch = try await send("PATCH", path, #"{"rules": {"all": [{"is": {"loved": true}}]}}"#)
        #expect(try patch.status == 409 && error(patch)["code"] == "no_rules")
        let both = try await send(
            "POST", "/api/playlists",
            #"{"name": "\#(unique())", "track_ids": [\#(ids[0])], "rules": {"all": [{"is": {"loved": true}}]}}"#
        )
        #expect(try both.status == 422 && error(both)["field"] == "track_ids")
    }

    @Test("Other formats of a smart playlist have its tracks")
    func otherFormats() async throws {
        let made = try await send(
            "POST", "/api/playlists",
            #"{"name": "\#(unique())", "rules": {"all": [{"is": {"title": "song 3"}}]}}"#)
        let path = try #require(made.field("Location"))
        #expect(try await served.get("\(path)/export").text.contains("3.mp3"))
        #expect(
            try await served.get("/playlists/\(try playlist(made).id)/stream.m3u8").text.contains(
                "/tracks/\(ids[2])/"))
    }
}
