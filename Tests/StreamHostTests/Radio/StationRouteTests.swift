import Foundation
import HTTPClient
import MusicShared
import RadioRelay
import Synchronization
import TestSupport
import Testing
@testable import HostAccounts

@testable import StreamHost

@Suite("Radio stations over HTTP", .timeLimit(.minutes(30)))
struct StationRouteTests {
    /// Eight times as fast as 64 kbit/s.
    private static let rate = 64_000

    private static func with(
        log: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (ServedLibrary, RadioServer, [UInt8]) async throws -> Void
    ) async throws {
        let sound = try await aside {
            try Encoders.lame(PCM.music(frameCount: 30 * 44_100, seed: 21), ["-b", "64", "-t"])
        }
        let first = try await aside {
            try Encoders.lame(PCM.music(frameCount: 44_100, seed: 22), ["-b", "64"])
        }
        let titles = [(0, "Intro"), (80_000, "Low - Was"), (176_000, "Äther - Zwei")]
        let server = try RadioServer(
            sound, bytesPerSecond: rate, titles: titles.map { RadioServer.Title(at: $0.0, $0.1) })
        try await ServedLibrary.with(
            [("1.mp3", first)],
            settings: { settings in
                settings.radio.allowedNetworks = [NetworkRange("127.0.0.1")].compactMap { $0 }
                settings.radio.segmentSeconds = 2
                settings.activityLog = log
            }
        ) { try await body($0, server, sound) }
        server.end()
    }

    private static func send(
        _ served: ServedLibrary, _ method: String, _ path: String, _ json: String? = nil, key: String? = nil
    ) async throws -> ServedLibrary.Answer {
        let body = json.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        return try await served.get(path, ["-X", method] + body, key: key)
    }

    private static func add(_ served: ServedLibrary, _ name: String, _ address: String) async throws -> Int {
        let made = try await send(
            served, "POST", "/stations", #"{"name": "\#(name)", "stream_url": "\#(address)"}"#)
        #expect(made.status == 201, "\(made.text)")
        return try JSONDecoder().decode(StationItem.self, from: Data(made.body)).id
    }

    private static func timeline(_ served: ServedLibrary, _ id: Int) async throws -> StationTimeline {
        let answer = try await served.get("/stations/\(id)/timeline")
        return try JSONDecoder().decode(StationTimeline.self, from: Data(answer.body))
    }

    @Test("Stations are added, listed, searched, changed and removed; only owners may, and see addresses")
    func list() async throws {
        try await Self.with { served, server, _ in
            let accounts = try Accounts(data: served.data)
            _ = try accounts.add(name: "anna", role: .editor, password: "correct horse")
            let anna = try accounts.appPasswords.add(account: "anna", name: "test")
            let id = try await Self.add(served, "Café Jazz", "http://me:secret@radio.example/a")
            _ = try await Self.add(served, "News", "https://radio.example/b")
            let found = try await served.get("/stations?query=cafe%20jaz")
            let items = try JSONDecoder().decode(StationItemList.self, from: Data(found.body))
            #expect(items.items.map(\.name) == ["Café Jazz"] && items.canEdit)
            #expect(items.items.first?.streamURL == "http://me:secret@radio.example/a")
            let hers = try await served.get("/stations", key: anna)
            #expect(hers.status == 200 && !hers.text.contains("secret") && !hers.text.contains("stream_url"))
            for (method, path, body) in [
                ("POST", "/stations", #"{"name": "X", "stream_url": "http://a/b"}"#),
                ("PATCH", "/stations/\(id)", #"{"name": "X"}"#),
                ("POST", "/stations/check", #"{"stream_url": "http://a/b"}"#),
            ] {
                let refused = try await Self.send(served, method, path, body, key: anna)
                #expect(refused.status == 403)
            }
            let changed = try await Self.send(served, "PATCH", "/stations/\(id)", #"{"name": "Jazz"}"#)
            #expect(try changed.json("name") as? String == "Jazz")
            #expect(try changed.json("stream_url") as? String == "http://me:secret@radio.example/a")
            for bad in [
                #"{"name": "", "stream_url": "http://a/b"}"#,
                #"{"name": "X", "stream_url": "file:///etc/passwd"}"#,
                #"{"name": "X", "stream_url": "http://"}"#,
                #"{"name": "X", "stream_url": "http://a/b", "homepage_url": "javascript:alert(1)"}"#,
            ] { #expect(try await Self.send(served, "POST", "/stations", bad).status == 422, "\(bad)") }
            #expect(try await Self.send(served, "DELETE", "/stations/\(id)").status == 204)
            #expect(try await served.get("/stations/\(id)").status == 404)
        }
    }

    @Test(
        "Two listeners share one connection; playlist, timeline and segments agree; a token opens one station"
    )
    func listening() async throws {
        try await Self.with { served, server, sound in
            let id = try await Self.add(served, "Radio", server.address())
            let other = try await Self.add(served, "Other", server.address())
            let first = try await served.get("/stations/\(id)/live.m3u8")
            #expect(first.status == 200 && first.text.hasPrefix("#EXTM3U"))
            try await until { try await Self.timeline(served, id).segments.count >= 4 }
            #expect(server.requests == ["/live"])
            let token = try #require(
                try await served.get("/auth/token?station_id=\(id)", ["-X", "POST"]).json("token") as? String)
            let playlist = try await served.get("/stations/\(id)/live.m3u8?token=\(token)", key: "")
            let names = playlist.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(names.allSatisfy { $0.hasSuffix(".mp3?token=\(token)") } && names.count >= 4)
            let segment = try await served.get("/stations/\(id)/\(names[0])", key: "")
            #expect(segment.status == 200 && segment.field("Content-Type") == "audio/mpeg")
            #expect(sound.firstRange(of: segment.body.dropFirst(PackedAudioTimestamp.byteCount)) != nil)
            #expect(
                try await served.get("/stations/\(other)/live.m3u8?token=\(token)", key: "").status == 401)
            #expect(try await served.get("/stations/\(id)/live.m3u8", key: "").status == 401)
            #expect(try await served.get("/stations/\(id)/segments/1.mp3").status == 404)
            let last = try #require(try await Self.timeline(served, id).segments.last?.number)
            let newer = try await served.get("/stations/\(id)/timeline?after=\(last)")
            let rest = try JSONDecoder().decode(StationTimeline.self, from: Data(newer.body))
            #expect(rest.segments.allSatisfy { $0.number > last } && rest.firstNumber ?? .max < last)
            // Removing the station closes the connection.
            #expect(try await Self.send(served, "DELETE", "/stations/\(id)").status == 204)
            try await until { server.openCount == 0 }
        }
    }

    @Test("Stations in private networks and stations that fail are reported without their address")
    func failures() async throws {
        let lines = Lines()
        try await Self.with(log: { lines.add($0) }) { served, server, _ in
            server.redirect("/moved", to: "http://10.1.2.3:1/secret-place")
            for address in [
                server.address("/moved", credentials: "me:topsecret@"), "http://me:topsecret@192.168.0.1/x",
                server.address("/missing", credentials: "me:topsecret@"),
            ] {
                let id = try await Self.add(served, "Radio", address)
                let answer = try await served.get("/stations/\(id)/live.m3u8")
                #expect(answer.status == 502)
                #expect(try answer.json("error", "code") as? String == "station_failed")
                let state = try await served.get("/stations/\(id)/timeline")
                for text in [answer.text, state.text] {
                    #expect(!text.contains("topsecret") && !text.contains("secret-place"), "\(text)")
                }
                let checked = try await Self.send(
                    served, "POST", "/stations/check", #"{"stream_url": "\#(address)"}"#)
                #expect(checked.status == 502 && !checked.text.contains("topsecret"))
                #expect(try await Self.send(served, "DELETE", "/stations/\(id)").status == 204)
            }
            #expect(!server.requests.contains { $0.contains("secret") })
        }
        #expect(!lines.all.contains { $0.contains("topsecret") })
    }

    @Test("A recording has whole frames, is cut at title changes, tagged, in the library, and in the list")
    func recording() async throws {
        try await Self.with { served, server, sound in
            let id = try await Self.add(served, "Radio Eins", server.address())
            // On a busy machine, the first titles would be over before the recording starts.
            server.hold(after: 32_768)
            _ = try await served.get("/stations/\(id)/live.m3u8")
            let started = try await Self.send(served, "PUT", "/stations/\(id)/recording")
            #expect(started.status == 200, "\(started.text)")
            // Twice is once.
            #expect(try await Self.send(served, "PUT", "/stations/\(id)/recording").status == 200)
            server.release()
            // The third title comes after 22 seconds, and a file of less than two is not kept.
            try await until {
                let recording = try await Self.timeline(served, id).recording
                return recording?.fileCount ?? 0 >= 2 && recording?.durationSeconds ?? 0 >= 25
            }
            #expect(try await Self.send(served, "DELETE", "/stations/\(id)/recording").status == 204)
            #expect(try await Self.send(served, "DELETE", "/stations/\(id)/recording").status == 404)
            let list = try await until { () -> StationRecordingList? in
                let answer = try await served.get("/stations/recordings")
                let list = try JSONDecoder().decode(StationRecordingList.self, from: Data(answer.body))
                return list.items.count >= 3 ? list : nil
            }
            #expect(
                list.active.isEmpty && Set(list.items.map(\.title)) == ["Intro", "Low - Was", "Äther - Zwei"])
            let middle = try #require(list.items.first { $0.title == "Low - Was" })
            // The station sends titles after multiples of 4,096 bytes: these ones after 81,920 and 176,128, at 64 kbit/s.
            #expect(abs(middle.durationSeconds - 11.776) < 0.06, "\(middle.durationSeconds)")
            let track = try await served.get("/api/tracks/\(try #require(middle.trackID))")
            #expect(try track.json("title") as? String == "Was" && track.json("artist") as? String == "Low")
            #expect(try track.json("album") as? String == "Radio Eins")
            // The frames are those that the station sent, and nothing else, as an independent tool sees it.
            let path = served.file(
                "Radio Eins/\(Calendar.current.component(.year, from: Date())) - Radio Eins/Was.mp3")
            let copy = try TemporaryDirectory()
            try await ProcessRun.aside(
                "ffmpeg",
                [
                    "-v", "error", "-i", path, "-map", "0:a", "-c", "copy", "-write_xing", "0",
                    "-id3v2_version", "0", copy.file("a.mp3"),
                ])
            let frames = try copy.read("a.mp3")
            let start = try #require(sound.firstRange(of: frames.prefix(2000)))
            #expect(frames == (0..<frames.count).map { sound[(start.lowerBound + $0) % sound.count] })
            // Its start in the programme is that of the title.
            #expect((81_500...81_920).contains(start.lowerBound), "\(start.lowerBound)")
            // Removed from the list, the file stays.
            #expect(try await Self.send(served, "DELETE", "/stations/recordings/\(middle.id)").status == 204)
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(try await Self.send(served, "DELETE", "/stations/recordings/\(middle.id)").status == 404)
        }
    }

    @Test("AAC is recorded as MP4 that independent tools decode without errors")
    func recordedAAC() async throws {
        let sound = try await aside {
            try Encoders.ffmpeg(
                PCM.music(frameCount: 20 * 44_100, seed: 23), ["-c:a", "aac", "-b:a", "64k", "-f", "adts"],
                as: "x.aac")
        }
        try await Self.with { served, _, _ in
            let server = try RadioServer(sound, bytesPerSecond: Self.rate, mediaType: "audio/aacp")
            let id = try await Self.add(served, "AAC", server.address())
            #expect(try await Self.send(served, "PUT", "/stations/\(id)/recording").status == 200)
            try await until { try await Self.timeline(served, id).recording?.durationSeconds ?? 0 >= 12 }
            #expect(try await Self.send(served, "DELETE", "/stations/\(id)/recording").status == 204)
            let item = try await until { () -> StationRecordingItem? in
                let answer = try await served.get("/stations/recordings")
                return try JSONDecoder().decode(StationRecordingList.self, from: Data(answer.body)).items
                    .first
            }
            let track = try await served.get("/api/tracks/\(try #require(item.trackID))")
            let path = try #require(try track.json("relative_path") as? String)
            #expect(path.hasSuffix(".m4a") && path.hasPrefix("AAC/"))
            let run = try await ProcessRun.aside(
                "ffmpeg", ["-v", "error", "-i", served.file(path), "-f", "s16le", "-ac", "1", "-"])
            #expect(run.errors.isEmpty, "\(String(decoding: run.errors, as: UTF8.self))")
            #expect(abs(Double(run.output.count / 2) / 44_100 - item.durationSeconds) < 0.1)
            server.end()
        }
    }

    @Test("OpenSubsonic has the same stations, and hides passwords from listeners")
    func openSubsonic() async throws {
        try await Self.with { served, _, _ in
            _ = try await Self.add(served, "Radio", "http://me:secret@radio.example/a?b=1")
            let accounts = try Accounts(data: served.data)
            _ = try accounts.add(name: "anna", role: .listener, password: "correct horse")
            for (name, shown) in [
                ("anna", "http://radio.example/a?b=1"), ("owner", "http://me:secret@radio.example/a?b=1"),
            ] {
                let password = try accounts.appPasswords.add(account: name, name: "test")
                let answer = try await served.get(
                    "/rest/getInternetRadioStations?u=\(name)&p=\(password)&v=1.16.1&c=t&f=json", key: "")
                let list = try answer.json("subsonic-response", "internetRadioStations") as? [String: Any]
                let stations = try #require(list?["internetRadioStation"] as? [[String: Any]])
                #expect(stations.map { $0["streamUrl"] as? String } == [shown])
            }
        }
    }
}

/// Lines of a log.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
