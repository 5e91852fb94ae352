import Foundation
import HostAccounts
import LibraryStore
import MusicShared
import TestSupport
import Testing

/// Lists that a client reads instead of all tracks: genres, years, random tracks, tracks by id, audio and path.
@Suite("Lists of parts of the catalogue", .timeLimit(.minutes(30)))
struct CatalogueListRouteTests {
    private struct Song {
        var name: String
        var artist: String?
        var album: String?
        var genre: String?
        var year: Int?
        /// Songs with the same number have the same audio.
        var sound: UInt64
    }

    private static let songs = [
        Song(name: "a1", artist: "Ann", album: "First", genre: "Dub Jazz", year: 1981, sound: 1),
        Song(name: "a2", artist: "Ann", album: "Second", genre: "Dub Jazz", year: 1989, sound: 2),
        Song(name: "a3", artist: "Ann", album: "Second", genre: "dub jazz", year: 1990, sound: 3),
        Song(name: "b1", artist: "Bob", album: "Third", genre: "Rock", year: 1990, sound: 4),
        Song(name: "b2", artist: "Bob", genre: "Folk", sound: 5),
        Song(name: "c1", sound: 6),
        Song(name: "copy", artist: "Ann", album: "Fourth", year: 1981, sound: 1),
        // These have no file any more.
        Song(name: "gone", artist: "Bob", album: "Third", genre: "Rock", year: 1999, sound: 7),
        Song(name: "gone too", artist: "Eve", album: "Fifth", genre: "Salsa", year: 1990, sound: 4),
    ]
    private static let available = songs.filter { !$0.name.hasPrefix("gone") }

    /// One library for all tests, which only read it.
    private static let shared = Task {
        try await aside {
            let served = try ServedLibrary(
                songs.map { song in
                    let tags = [
                        ("--tt", song.name), ("--ta", song.artist), ("--tl", song.album),
                        ("--tg", song.genre),
                        ("--ty", song.year.map(String.init)),
                    ].flatMap { option, value in value.map { [option, $0] } ?? [] }
                    return (
                        "\(song.name).mp3",
                        try Encoders.lame(
                            PCM.music(frameCount: 22_050, seed: song.sound),
                            ["-b", "64", "--id3v2-only"] + tags)
                    )
                })
            let change = "UPDATE tracks SET unavailable_since_ms = 1 WHERE relative_path LIKE 'gone%'"
            _ = try sqlite3Tool(served.library.path, change)
            return served
        }
    }

    private let served: ServedLibrary

    init() async throws { served = try await Self.shared.value }

    private func list<Item>(_ path: String, of: Item.Type) async throws -> [Item]
    where Item: Codable & Sendable & Equatable {
        let answer = try await served.get(path)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(CatalogueList<Item>.self, from: Data(answer.body)).items
    }

    private func names(_ tracks: [TrackItem]) -> [String] {
        tracks.map { String($0.relativePath.dropLast(4)) }
    }

    private func names(_ path: String) async throws -> [String] {
        try names(await list(path, of: TrackItem.self))
    }

    // MARK: - Genres and years

    @Test("Genres count their available tracks and albums, and name the album with the most of them")
    func genres() async throws {
        let page = try await served.get("/api/albums")
        let albums = try JSONDecoder().decode(CataloguePage<AlbumItem>.self, from: Data(page.body)).items
        let ids = Dictionary(uniqueKeysWithValues: albums.map { ($0.title, $0.id) })
        let found = try await list("/api/genres", of: GenreItem.self)
        #expect(found.map { $0.name.lowercased() } == ["dub jazz", "folk", "rock"])
        for genre in found {
            let songs = Self.available.filter { $0.genre?.lowercased() == genre.name.lowercased() }
            #expect(songs.contains { $0.genre == genre.name })
            let albums = Dictionary(grouping: songs.compactMap(\.album)) { $0 }
            #expect(genre.trackCount == songs.count && genre.albumCount == albums.count)
            let fullest = albums.max { $0.value.count < $1.value.count }?.key
            #expect(genre.albumID == fullest.flatMap { ids[$0] })
        }
        #expect(found.map { $0.albumID == nil } == [false, true, false])
    }

    @Test("Years count their available tracks in ascending order")
    func years() async throws {
        let counts = Dictionary(grouping: Self.available.compactMap(\.year)) { $0 }
        let expected = counts.keys.sorted().map { YearItem(year: $0, trackCount: counts[$0]?.count ?? 0) }
        #expect(expected.count == 3)
        // Also when the numbers are known.
        for _ in 0..<2 { #expect(try await list("/api/years", of: YearItem.self) == expected) }
    }

    @Test("Genres and years support conditional requests", arguments: ["/api/genres", "/api/years"])
    func conditional(path: String) async throws {
        let tag = try #require(try await served.get(path).field("ETag"))
        #expect(try await served.get(path, ["-H", "If-None-Match: \(tag)"]).status == 304)
        #expect(try await served.get("\(path)?limit=1").errorCode == "unknown_parameter")
    }

    // MARK: - Random tracks

    @Test("Random tracks are available ones, each once, in another order each time")
    func random() async throws {
        var orders: Set<[String]> = []
        for _ in 0..<6 {
            let order = try await names("/api/tracks/random")
            #expect(order.sorted() == Self.available.map(\.name))
            orders.insert(order)
        }
        #expect(orders.count > 1)
        let few = try await names("/api/tracks/random?limit=3")
        #expect(few.count == 3 && Set(few).isSubset(of: Self.available.map(\.name)) && Set(few).count == 3)
        let answer = try await served.get("/api/tracks/random")
        #expect(answer.field("ETag") == nil && answer.field("Cache-Control") == "no-store")
    }

    @Test(
        "Random tracks are of a genre and of some years",
        arguments: [
            ("genre=DUB%20jazz", "DUB jazz", 0, 9999), ("from_year=1989", nil, 1989, 9999),
            ("to_year=1989", nil, 1, 1989), ("from_year=1981&to_year=1989", nil, 1981, 1989),
            ("genre=rock&from_year=1990&limit=500", "rock", 1990, 9999), ("genre=Salsa", "Salsa", 0, 9999),
            ("from_year=1990&to_year=1989", nil, 1990, 1989),
        ])
    func randomOfSome(query: String, genre: String?, from: Int, to: Int) async throws {
        let expected = Self.available.filter { song in
            (genre == nil || song.genre?.lowercased() == genre?.lowercased())
                && (song.year.map { $0 >= from && $0 <= to } ?? (from == 0))
        }
        #expect(try await names("/api/tracks/random?\(query)").sorted() == expected.map(\.name))
    }

    @Test("Lists of tracks can be narrowed to some years, with pages")
    func yearRange() async throws {
        func page(_ query: String) async throws -> CataloguePage<TrackItem> {
            let answer = try await served.get("/api/tracks?\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            return try JSONDecoder().decode(CataloguePage<TrackItem>.self, from: Data(answer.body))
        }
        let decade = Self.available.filter { 1980...1989 ~= $0.year ?? 0 }.map(\.name)
        let all = try await page("from_year=1980&to_year=1989&sort=title")
        #expect(names(all.items) == decade && all.total == decade.count)
        let last = try await page("from_year=1980&to_year=1989&sort=-title&limit=2&offset=2")
        #expect(names(last.items) == Array(decade.reversed().dropFirst(2)) && last.total == decade.count)
        #expect(names(try await page("from_year=1990&sort=title").items) == ["a3", "b1"])
        #expect(names(try await page("to_year=1989&genre=Dub%20Jazz&sort=title").items) == ["a1", "a2"])
        #expect(names(try await page("to_year=1981&q=copy").items) == ["copy"])
    }

    // MARK: - Lookup

    private func lookUp(_ content: [String: Any]) async throws -> [String] {
        let answer = try await served.send("POST", Routes.trackLookup, content)
        #expect(answer.status == 200, "\(answer.text)")
        return names(try JSONDecoder().decode(CatalogueList<TrackItem>.self, from: Data(answer.body)).items)
    }

    @Test("Tracks are found by id, audio and path, each once and in this order")
    func lookup() async throws {
        func id(_ name: String) throws -> Int { try served.id("\(name).mp3") }
        let tracks = try await list("/api/tracks/random", of: TrackItem.self)
        func hash(_ name: String) throws -> String {
            try #require(tracks.first { $0.relativePath == "\(name).mp3" }).audioHash
        }
        #expect(try hash("a1") == hash("copy") && hash("a1") != hash("a2"))
        let ids = [try id("b1"), 999_999, try id("a1"), try id("gone"), try id("b1")]
        #expect(try await lookUp(["track_ids": ids]) == ["b1", "a1"])
        // Copies are found, but for the one whose file is gone.
        let hashes = [try hash("b1"), String(repeating: "0", count: 32), "x", try hash("a1").uppercased()]
        let copies = try ["a1", "copy"].sorted { try id($0) < id($1) }
        #expect(try await lookUp(["audio_hashes": hashes]) == ["b1"] + copies)
        let paths = ["c1.mp3", "gone.mp3", "../a1.mp3", "", "a2.mp3", "A2.mp3"]
        #expect(try await lookUp(["relative_paths": paths]) == ["c1", "a2"])
        let all: [String: Any] = [
            "track_ids": ids, "audio_hashes": hashes, "relative_paths": paths + ["copy.mp3"],
        ]
        #expect(try await lookUp(all) == ["b1", "a1", "copy", "c1", "a2"])
        #expect(try await lookUp(["track_ids": [Int]()]) == [])
        #expect(try await lookUp(["track_ids": NSNull(), "relative_paths": ["b2.mp3"]]) == ["b2"])
        #expect(try await lookUp(["relative_paths": [String](repeating: "a1.mp3", count: 500)]) == ["a1"])
    }

    @Test(
        "Lookups that cannot be answered name the field",
        arguments: [
            (#"{}"#, 422, "nothing_selected", "track_ids"),
            (#"{"track_ids": null}"#, 422, "nothing_selected", "track_ids"),
            (#"{"track_ids": [1], "album_ids": [1]}"#, 400, "unknown_field", "album_ids"),
            (#"{"track_ids": [0]}"#, 422, "invalid_field", "track_ids"),
            (#"{"track_ids": ["1"]}"#, 422, "invalid_field", "track_ids"),
            (#"{"audio_hashes": [1]}"#, 422, "invalid_field", "audio_hashes"),
            (#"{"relative_paths": "a1.mp3"}"#, 422, "invalid_field", "relative_paths"),
        ])
    func wrongLookup(json: String, status: Int, code: String, field: String) async throws {
        let answer = try await served.get(
            Routes.trackLookup, ["-H", "Content-Type: application/json", "-d", json])
        #expect(answer.status == status && answer.errorCode == code, "\(answer.text)")
        #expect(try answer.json("error", "field") as? String == field)
    }

    @Test(
        "Lists of a lookup have at most 500 items",
        arguments: ["track_ids", "audio_hashes", "relative_paths"])
    func longLookup(field: String) async throws {
        let items: [Any] = field == "track_ids" ? Array(1...501) : Array(repeating: "x", count: 501)
        let answer = try await served.send("POST", Routes.trackLookup, [field: items])
        #expect(answer.status == 422 && answer.errorCode == "too_many_items", "\(answer.text)")
        #expect(try answer.json("error", "field") as? String == field)
    }

    // MARK: - Access

    @Test("The API key or an app password is needed")
    func access() async throws {
        let password = try AppPasswords(dataFolder: served.data.path).add(
            account: "owner", name: UUID().uuidString)
        let body = ["-H", "Content-Type: application/json", "-d", #"{"track_ids": [1]}"#]
        for (path, options) in [
            (Routes.genres, []), (Routes.years, []), (Routes.randomTracks, []), (Routes.trackLookup, body),
        ] {
            #expect(try await served.get(path, options, key: "").status == 401, "\(path)")
            #expect(try await served.get(path, options, key: password).status == 200, "\(path)")
        }
    }

    @Test(
        "Invalid parameters are 422, unknown ones 400",
        arguments: [
            ("/api/tracks/random?limit=0", "limit"), ("/api/tracks/random?limit=501", "limit"),
            ("/api/tracks/random?from_year=0", "from_year"),
            ("/api/tracks/random?to_year=10000", "to_year"), ("/api/tracks/random?offset=1", "offset"),
            ("/api/tracks?from_year=x", "from_year"), ("/api/tracks?to_year=0", "to_year"),
            ("/api/albums?from_year=1990", "from_year"),
        ])
    func invalid(path: String, field: String) async throws {
        let answer = try await served.get(path)
        #expect(answer.status == (answer.errorCode == "unknown_parameter" ? 400 : 422), "\(answer.text)")
        #expect(try answer.json("error", "field") as? String == field)
    }
}
