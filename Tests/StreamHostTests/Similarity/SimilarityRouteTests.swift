import Foundation
import HTTPServer
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

/// Similar tracks, radio and paths over HTTP.
@Suite("Similarity routes", .timeLimit(.minutes(30)))
struct SimilarityRouteTests {
    /// One library for all tests, which only read it.
    private static let shared = Task { try await aside { try ServedLibrary(try files()) } }

    /// Three sounds, each in two files of different bit rates by two artists, and a file too short to describe.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let sounds: [(name: String, samples: PCM)] = [
            (
                "bells",
                GeneratedTracks.sound(12) { time in
                    0.3 * sin(2 * .pi * 1760 * time) * exp(-3 * time.truncatingRemainder(dividingBy: 1))
                }
            ),
            (
                "drone",
                GeneratedTracks.sound(12) { 0.2 * sin(2 * .pi * 110 * $0) + 0.1 * sin(2 * .pi * 165 * $0) }
            ),
            ("beats", GeneratedTracks.beats(12, bpm: 125, first: 0.2)),
        ]
        var files: [(name: String, bytes: [UInt8])] = []
        for (name, samples) in sounds {
            for (rate, artist) in [("64", "One"), ("128", "Other")] {
                var tags = ["--tt", name, "--ta", artist, "--tl", "Album \(artist)"]
                if name != "beats" { tags += ["--tg", "Jazz"] }
                files.append(("\(name)-\(rate).mp3", try GeneratedTracks.mp3(samples, ["-b", rate] + tags)))
            }
        }
        files.append(
            ("short.mp3", try GeneratedTracks.mp3(GeneratedTracks.sound(0.4) { 0.2 * sin(2764 * $0) })))
        return files
    }

    private let served: ServedLibrary
    private let ids: [String: Int]

    init() async throws {
        served = try await Self.shared.value
        let answer = try await served.get("/api/tracks")
        let page = try JSONDecoder().decode(CataloguePage<TrackItem>.self, from: Data(answer.body))
        ids = Dictionary(uniqueKeysWithValues: page.items.map { ($0.relativePath, $0.id) })
    }

    private func id(_ name: String) throws -> Int { try #require(ids["\(name).mp3"]) }

    private func items(_ path: String) async throws -> [SimilarItem] {
        let answer = try await served.get(path)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(SimilarItems.self, from: Data(answer.body)).items
    }

    @Test(
        "The most similar track is the same sound at another bit rate",
        arguments: ["bells", "drone", "beats"])
    func similar(_ name: String) async throws {
        let found = try await items("/tracks/\(id("\(name)-64"))/similar")
        #expect(found.count == 5)
        #expect(found.first?.track.relativePath == "\(name)-128.mp3")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.similarity >= $1.similarity })
        let others = try await items("/tracks/\(id("\(name)-64"))/similar?count=2&other_artists=true")
        #expect(others.map(\.track.artist) == ["Other", "Other"])
    }

    @Test("A path leads from one track to the other")
    func path() async throws {
        let (from, to) = (try id("bells-64"), try id("drone-128"))
        let found = try await items("/path?from=\(from)&to=\(to)&count=4")
        #expect(found.count == 4 && found.first?.track.id == from && found.last?.track.id == to)
        #expect(found.first?.similarity == 1)
    }

    private func map(_ query: String = "") async throws -> SoundMap {
        let answer = try await served.get("/library/map\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(SoundMap.self, from: Data(answer.body))
    }

    @Test("The map has a group for the genre, and for each artist of tracks without one")
    func groups() async throws {
        let map = try await map()
        let names = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
        let expected = try map.trackIDs.map { id in
            switch try #require(names[id]) {
            case "beats-64.mp3": 1
            case "beats-128.mp3": 2
            default: 0
            }
        }
        #expect(map.groups == expected && map.groups.count == 6)
        #expect(map.x.count == 6 && map.y.count == 6 && map.trackIDs == map.trackIDs.sorted())
    }

    @Test("A map with a limit has an even sample of the tracks at the same places", arguments: 1...7)
    func sample(limit: Int) async throws {
        let (whole, sample) = (try await map(), try await map("?limit=\(limit)"))
        let rows = try sample.trackIDs.map { id in try #require(whole.trackIDs.firstIndex(of: id)) }
        let count = min(limit, 6)
        #expect(rows.count == count && rows == Set(rows).sorted())
        #expect(sample.x == rows.map { whole.x[$0] } && sample.y == rows.map { whole.y[$0] })
        #expect(sample.groups == rows.map { whole.groups[$0] })
        // Neighbours are equally far apart, but for the rest of the division.
        let gaps = Set(zip(rows, rows.dropFirst()).map { $1 - $0 })
        #expect(gaps.isSubset(of: [6 / count, (6 + count - 1) / count]))
        let tag = try #require(try await served.get("/library/map?limit=\(limit)").field("ETag"))
        let again = try await served.get("/library/map?limit=\(limit)", ["-H", "If-None-Match: \(tag)"])
        #expect(again.status == 304)
        let other = try await served.get("/library/map", ["-H", "If-None-Match: \(tag)"])
        #expect(other.status == (limit < 6 ? 200 : 304))
    }

    @Test("A radio goes on for ever, alternating between artists")
    func radio() async throws {
        var cursor = ""
        var artists: [String] = []
        for _ in 0..<4 {
            let answer = try await served.get("/radio?track=\(id("beats-64"))&count=5\(cursor)")
            let page = try JSONDecoder().decode(RadioPage.self, from: Data(answer.body))
            #expect(page.items.count == 5)
            artists += page.items.compactMap(\.artist)
            cursor = "&cursor=\(page.nextCursor)"
        }
        #expect(artists.first == "One" && zip(artists, artists.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("Radios start from artists, albums and genres", arguments: ["artist=1", "album=1", "genre=jazz"])
    func seeds(_ seed: String) async throws {
        let answer = try await served.get("/radio?\(seed)&count=3")
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test(
        "Requests that cannot be answered name the parameter",
        arguments: [
            ("/tracks/999/similar", 404, "track_id"), ("/tracks/SHORT/similar", 409, "track_id"),
            ("/tracks/1/similar?count=0", 422, "count"), ("/tracks/1/similar?x=1", 400, "x"),
            ("/tracks/1/similar?other_artists=yes", 422, "other_artists"),
            ("/radio", 422, "track"), ("/radio?track=1&genre=Jazz", 422, "genre"),
            ("/radio?track=999", 404, "track"), ("/radio?artist=999", 404, "artist"),
            ("/radio?genre=None", 404, "genre"), ("/radio?track=1&cursor=x", 422, "cursor"),
            ("/path?from=1", 400, "to"), ("/path?to=1", 400, "from"),
            ("/path?from=1&to=999", 404, "to"), ("/path?from=SHORT&to=1", 409, "from"),
            ("/path?from=1&to=2&count=1", 422, "count"), ("/library/map?limit=0", 422, "limit"),
            ("/library/map?limit=1000001", 422, "limit"), ("/library/map?count=1", 400, "count"),
        ])
    func errors(_ path: String, _ status: Int, _ field: String) async throws {
        // Numbers stand for analysed tracks.
        let path = path.replacing("SHORT", with: String(try id("short")))
        let answer = try await served.get(path)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.text.contains("\"field\":\"\(field)\""), "\(answer.text)")
    }

    @Test("Cursors are read back as written; others are rejected")
    func cursors() throws {
        var cursor = RadioCursor(seed: 1 << 39)
        #expect(RadioCursor(cursor.text) == cursor)
        cursor = cursor.advanced(by: Array(1...70))
        #expect(cursor.position == 70 && cursor.trackIDs == Array(21...70))
        #expect(RadioCursor(cursor.text) == cursor)
        let long = "1.2." + Array(repeating: "1", count: 51).joined(separator: "-")
        for text in ["", ".", "..", "1.2", "1.2.0", "1.-2.3", "1.2.3-", "1.2.3.4", "\u{FF11}.2.3", long] {
            #expect(RadioCursor(text) == nil, "\(text)")
        }
    }
}
