import Companion
import Foundation
import LibraryStore
import MusicShared
import Testing
import TestSupport

@Suite("Listening over HTTP", .serialized, .timeLimit(.minutes(30)))
struct ListeningRouteTests {
    private static func with(_ body: (ServedLibrary) async throws -> Void) async throws {
        let files = try (1...4).map { number in
            (
                "\(number).mp3",
                try Encoders.lame(
                    PCM.music(frameCount: 22_050, seed: UInt64(number)),
                    [
                        "-b", "64", "--tt", "T\(number)", "--ta", "A, \"\(number % 2)\"", "--tl",
                        "L\(number % 2)",
                    ])
            )
        }
        try await ServedLibrary.with(files, parts: [], body)
    }

    private func send(
        _ served: ServedLibrary, _ method: String, _ path: String, _ json: String? = nil
    ) async throws -> ServedLibrary.Answer {
        let body = json.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        return try await served.get(path, ["-X", method] + body)
    }

    private func outcomes(_ answer: ServedLibrary.Answer) throws -> [ListeningResults.Outcome] {
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(ListeningResults.self, from: Data(answer.body)).results.map(\.status)
    }

    private func page(_ served: ServedLibrary, _ path: String) async throws -> CataloguePage<TrackItem> {
        try JSONDecoder().decode(CataloguePage<TrackItem>.self, from: Data(try await served.get(path).body))
    }

    @Test("A queue of actions that is sent twice counts once")
    func queue() async throws {
        try await Self.with { served in
            let queue = """
                {"actions": [
                {"action": "play", "relative_path": "1.mp3", "at": 1763742000.5, "action_id": "a", "client": "phone"},
                {"action": "play", "relative_path": "1.mp3", "at": 1763743000, "action_id": "b", "seconds_played": 12.5},
                {"action": "star", "relative_path": "2.mp3", "at": 1763742000, "action_id": "c"},
                {"action": "rate", "relative_path": "2.mp3", "at": 1763742000, "rating": 4},
                {"action": "star", "relative_path": "none.mp3"},
                {"action": "now_playing", "relative_path": "3.mp3", "client": "car"}]}
                """
            #expect(
                try outcomes(try await send(served, "POST", "/listening/actions", queue))
                    == [.applied, .applied, .applied, .applied, .refused, .applied])
            #expect(
                try outcomes(try await send(served, "POST", "/listening/actions", queue))
                    == [.duplicate, .duplicate, .duplicate, .outdated, .refused, .applied])
            let most = try await page(served, "/listening/tracks?list=most_played")
            #expect(most.items.map(\.relativePath) == ["1.mp3"] && most.total == 1)
            #expect(most.items[0].listening == ListeningState(playCount: 2, lastPlayedAt: 1_763_743_000))
            let counts = try await served.get("/listening/play-counts")
            #expect(
                try JSONDecoder().decode(PlayCounts.self, from: Data(counts.body))
                    == PlayCounts(trackIDs: most.items.map(\.id), playCounts: [2]))
            let tag = try #require(counts.field("ETag"))
            #expect(
                try await served.get("/listening/play-counts", ["-H", "If-None-Match: \(tag)"]).status == 304)
            let history = try await served.get("/listening/history?limit=1")
            let plays = try JSONDecoder().decode(CataloguePage<PlayItem>.self, from: Data(history.body))
            #expect(
                plays.total == 2 && plays.items[0].secondsPlayed == 12.5
                    && plays.items[0].track?.title == "T1")
            #expect(try await served.get("/listening/now-playing").text.contains("\"client\":\"car\""))
        }
    }

    @Test("Tracks, albums and artists can be starred and rated, and the catalogue can include it")
    func marks() async throws {
        try await Self.with { served in
            let id = try served.id("2.mp3")
            let track = try #require(try served.library.track(id: id)).track
            let (album, artist) = (try #require(track.albumID), try #require(track.artistID))
            let plain = try await served.get("/api/tracks")
            for path in ["tracks/\(id)", "albums/\(album)", "artists/\(artist)"] {
                let marked = try await send(
                    served, "PATCH", "/listening/\(path)", #"{"is_starred": true, "rating": 5}"#)
                #expect(marked.status == 200 && marked.text.contains("\"rating\":5"))
                let state = try await served.get("/listening/\(path)")
                #expect(state.body == marked.body)
                let tag = try #require(state.field("ETag"))
                #expect(
                    try await served.get("/listening/\(path)", ["-H", "If-None-Match: \(tag)"]).status == 304)
            }
            for kind in ["tracks", "albums", "artists"] {
                for list in ["starred", "rated"] {
                    #expect(
                        try await served.get("/listening/\(kind)?list=\(list)").json("total") as? Int == 1)
                }
                #expect(
                    try await send(served, "PATCH", "/listening/\(kind)/999", #"{"rating": 1}"#).status == 404
                )
                #expect(
                    try await served.get("/listening/\(kind)?list=most_played").json("total") as? Int == 0)
            }
            // The catalogue and its ETag are unchanged: a star is not a change of the library.
            let after = try await served.get(
                "/api/tracks", ["-H", "If-None-Match: \(try #require(plain.field("ETag")))"])
            #expect(after.status == 304)
            let items = try await page(served, "/api/tracks?include=listening&sort=title").items
            #expect(items.map(\.listening?.rating) == [nil, 5, nil, nil])
            #expect(items.map(\.listening?.isStarred) == [false, true, false, false])
            #expect(
                try await page(served, "/api/tracks?include=listening&q=T2").items.map(\.listening?.rating)
                    == [5])
            #expect(try await served.get("/api/tracks/\(id)?include=listening").text.contains("\"rating\":5"))
            #expect(try await !served.get("/api/tracks/\(id)").text.contains("listening"))
            let cleared = try await send(
                served, "PATCH", "/listening/tracks/\(id)", #"{"is_starred": false, "rating": null}"#)
            #expect(try cleared.json("is_starred") as? Bool == false && cleared.json("rating") == nil)
        }
    }

    @Test("The history can be exported as JSON and CSV, and deleted")
    func export() async throws {
        try await Self.with { served in
            let actions = (0..<1000).map {
                "{\"action\": \"play\", \"relative_path\": \"\($0 % 4 + 1).mp3\", \"at\": \($0)}"
            }
            for start in stride(from: 0, to: 1000, by: 500) {
                let part = actions[start..<start + 500].joined(separator: ",")
                let answer = try await send(served, "POST", "/listening/actions", "{\"actions\": [\(part)]}")
                #expect(try outcomes(answer).count == 500)
            }
            let json = try await served.get("/listening/export")
            #expect((try json.json("plays") as? [Any])?.count == 1000)
            #expect((try json.json("items") as? [Any])?.count == 4)
            let csv = try await served.get("/listening/export?format=csv")
            let directory = try TemporaryDirectory()
            let table = try directory.write(csv.body, as: "history.csv")
            let read = try ProcessRun.run(
                "python3",
                [
                    "-c",
                    "import csv, sys; r = list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8'))); print(len(r), r[0]['artist'], r[3]['played_at'])",
                    table,
                ])
            #expect(read.text == "1000 A, \"1\" 3.0\n")
            let some = try await send(served, "DELETE", "/listening/history?before=500")
            #expect(try some.json("deleted") as? Int == 500)
            #expect(try await served.get("/listening/history").json("total") as? Int == 500)
            #expect(try await send(served, "DELETE", "/listening/history").json("deleted") as? Int == 500)
            #expect(try await served.get("/listening/tracks?list=most_played").json("total") as? Int == 0)
            let empty = try await served.get("/listening/export")
            #expect((try empty.json("plays") as? [Any])?.isEmpty == true)
        }
    }

    @Test(
        "Malformed actions are rejected",
        arguments: [
            (#"{"actions": [{"action": "dance", "track_id": 1}]}"#, 422), (#"{"actions": 1}"#, 422),
            (#"{}"#, 400),
            (#"{"actions": [{"action": "star", "track_id": 1, "more": 1}]}"#, 400),
            (#"{"actions": [7]}"#, 422),
            (#"{"actions": [{"track_id": 1}]}"#, 400),
        ])
    func invalid(body: String, status: Int) async throws {
        let served = try await ServedStreams.library.value
        #expect(try await send(served, "POST", "/listening/actions", body).status == status)
    }

    @Test("Lists need a valid name, and requests are limited")
    func lists() async throws {
        let served = try await ServedStreams.library.value
        for (query, status) in [
            ("", 400), ("?list=best", 422), ("?list=starred&limit=0", 422), ("?list=starred&more=1", 400),
        ] {
            #expect(try await served.get("/listening/tracks\(query)").status == status)
        }
        #expect(try await served.get("/listening/history?from=x").status == 422)
        let many =
            "{\"actions\": [" + Array(repeating: "{\"action\": \"star\"}", count: 1001).joined(separator: ",")
            + "]}"
        #expect(try await send(served, "POST", "/listening/actions", many).status == 422)
    }
}
