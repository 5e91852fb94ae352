import Foundation
import HTTPClient
import MusicShared
import TestSupport
import Testing

@testable import RadioRelay

@Suite("Relay of stations", .timeLimit(.minutes(10)))
struct StationRelayTests {
    /// Ten times as fast as 64 kbit/s.
    private static let fast = 80_000

    private static func settings(_ change: (inout RelaySettings) -> Void = { _ in }) -> RelaySettings {
        var settings = RelaySettings()
        settings.allowedNetworks = [NetworkRange("127.0.0.1")].compactMap { $0 }
        settings.segmentSeconds = 2
        change(&settings)
        return settings
    }

    private static func relays(
        _ directory: TemporaryDirectory, _ change: (inout RelaySettings) -> Void = { _ in }
    ) -> StationRelays { StationRelays(folder: directory.file("radio"), settings: settings(change)) }

    private static func bytes(_ relay: StationRelay, _ segment: StationTimeline.Segment) throws -> [UInt8] {
        let path = try #require(relay.path(ofSegment: segment.number, segment.format))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        #expect(bytes.starts(with: Array("ID3".utf8)))
        return Array(bytes.dropFirst(PackedAudioTimestamp.byteCount))
    }

    @Test("Two listeners share one connection, and the segments are the station's frames in order")
    func sharing() async throws {
        let sound = try await StationSound.mp3.value
        let server = try RadioServer(sound, bytesPerSecond: Self.fast)
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relays = Self.relays(directory)
        let first = try relays.relay(stationID: 1, address: server.address())
        let second = try relays.relay(stationID: 1, address: server.address())
        #expect(first === second)
        try await until { first.timeline().segments.count >= 6 }
        #expect(server.requests == ["/live"] && server.openCount == 1)
        let timeline = first.timeline()
        #expect(timeline.state == .live && timeline.message == nil)
        let all = try timeline.segments.flatMap { try Self.bytes(first, $0) }
        let place = try #require(sound.firstRange(of: all.prefix(1000)))
        let expected = (0..<all.count).map { sound[(place.lowerBound + $0) % sound.count] }
        #expect(all == expected)
        // Numbers and times have no gaps.
        for (before, after) in zip(timeline.segments, timeline.segments.dropFirst()) {
            #expect(after.number == before.number + 1 && !after.isDiscontinuity)
            #expect(
                abs(before.startMilliseconds + before.durationSeconds * 1000 - after.startMilliseconds) < 0.01
            )
        }
        #expect(abs(timeline.segments[0].startMilliseconds / 1000 - Date().timeIntervalSince1970) < 60)
        #expect(
            first.timeline(after: timeline.segments[2].number).segments.first?.number
                == timeline.segments[3].number)
    }

    @Test("Titles have the time of the audio with which they arrived")
    func titles() async throws {
        let sound = try await StationSound.mp3.value
        // 64 kbit/s are 8,000 bytes a second.
        let titles = [(40_960, "A - One"), (81_920, "A - One"), (122_880, "Bücher - 'Zwei'")]
        let server = try RadioServer(
            sound, bytesPerSecond: Self.fast, titles: titles.map { RadioServer.Title(at: $0.0, $0.1) })
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relay = try Self.relays(directory).relay(stationID: 1, address: server.address())
        try await until { relay.timeline().titles.count >= 2 && relay.timeline().segments.count >= 10 }
        let timeline = relay.timeline()
        let start = try #require(timeline.firstMilliseconds)
        #expect(timeline.titles.map(\.text) == ["A - One", "Bücher - 'Zwei'"])
        let times = timeline.titles.map { ($0.startMilliseconds - start) / 1000 }
        // To the frame, which has 26 ms.
        #expect(abs(times[0] - 5.12) < 0.06 && abs(times[1] - 15.36) < 0.06, "\(times)")
        #expect(relay.currentTitle == "Bücher - 'Zwei'")
        let playlist = relay.playlist(query: "?token=x")
        #expect(playlist.contains(",A - One\n") && playlist.contains(".mp3?token=x\n"))
    }

    @Test("The playlist is what ffmpeg plays as live HLS", arguments: ["mp3", "aac"])
    func playlist(_ format: String) async throws {
        let sound = format == "mp3" ? try await StationSound.mp3.value : try await StationSound.adts.value
        let server = try RadioServer(
            sound, bytesPerSecond: Self.fast, mediaType: format == "mp3" ? "audio/mpeg" : "audio/aacp")
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relay = try Self.relays(directory).relay(stationID: 1, address: server.address())
        try await until { relay.timeline().segments.count >= 8 }
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.file("segments"), withIntermediateDirectories: true)
        let timeline = relay.timeline()
        for segment in timeline.segments {
            let name = "\(segment.number).\(format)"
            try FileManager.default.copyItem(
                atPath: try #require(relay.path(ofSegment: segment.number, segment.format)),
                toPath: folder.file("segments/\(name)"))
        }
        var text = relay.playlist()
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(text.contains("#EXT-X-PROGRAM-DATE-TIME:20") && !text.contains("#EXT-X-ENDLIST"))
        // Ended, so that ffmpeg stops; what was added since the copies is left out.
        if let known = lines.firstIndex(where: { $0.contains("\(timeline.segments.last?.number ?? 0)") }) {
            let end = try #require(text.range(of: lines[known])).upperBound
            text = String(text[..<end]) + "\n#EXT-X-ENDLIST\n"
        }
        let path = try folder.write(Array(text.utf8), as: "live.m3u8")
        let run = try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-allowed_extensions", "ALL", "-i", path, "-f", "s16le", "-ar", "44100", "-ac",
                "1", "-",
            ])
        let seconds = timeline.segments.reduce(0) { $0 + $1.durationSeconds }
        #expect(abs(Double(run.output.count / 2) / 44_100 - seconds) < 0.2)
        // The first frames may need bytes of frames before the connection. ffmpeg 5.1 counts a frame twice where a segment of MP3
        // begins, also with exact timestamps. Nothing else is reported.
        let complaints = String(decoding: run.errors, as: UTF8.self).split(separator: "\n")
        let isKnown = { (line: Substring) in
            line.contains("[mp3") || line.contains("non monotonically increasing dts")
        }
        #expect(complaints.allSatisfy(isKnown), "\(complaints)")
    }

    @Test("The oldest segments are deleted: by the disk budget, and by the hour")
    func budget() async throws {
        let sound = try await StationSound.mp3.value
        let server = try RadioServer(sound, bytesPerSecond: 4 * Self.fast)
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relays = Self.relays(directory) {
            $0.stationLimit = 2
            $0.diskBudget = 200_000
        }
        let relay = try relays.relay(stationID: 1, address: server.address())
        let first = try await until { relay.timeline().segments.first?.number }
        try await until { relay.timeline().firstNumber ?? 0 > first + 8 }
        let files = FileManager.default.enumerator(atPath: directory.file("radio"))
        let sizes = try (files?.allObjects as? [String] ?? []).compactMap { name in
            try FileManager.default.attributesOfItem(atPath: directory.file("radio/\(name)"))
        }.filter { $0[.type] as? FileAttributeType == .typeRegular }.compactMap { $0[.size] as? Int }
        #expect(sizes.reduce(0, +) <= 100_000 && sizes.count >= 4)
        #expect(relay.byteCount <= 100_000)
        #expect(relay.path(ofSegment: first, .mp3) == nil)

        let second = try TemporaryDirectory()
        defer { withExtendedLifetime(second) {} }
        let short = Self.relays(second) { $0.timeshiftSeconds = 10 }
        let other = try short.relay(stationID: 1, address: server.address())
        let number = try await until { other.timeline().segments.first?.number }
        try await until { other.timeline().firstNumber ?? 0 > number + 8 }
        let kept = other.timeline().segments.reduce(0) { $0 + $1.durationSeconds }
        #expect((9...14).contains(kept), "\(kept)")
    }

    @Test("A station that disconnects is reconnected; the timeline goes on, with a discontinuity")
    func reconnection() async throws {
        let sound = try await StationSound.mp3.value
        let server = try RadioServer(sound, bytesPerSecond: Self.fast)
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relay = try Self.relays(directory) { $0.longestPause = 0.5 }
            .relay(stationID: 1, address: server.address())
        try await until { relay.timeline().segments.count >= 3 }
        server.cut()
        try await until { relay.timeline().segments.dropFirst().contains { $0.isDiscontinuity } }
        try await until { relay.timeline().state == .live }
        #expect(server.requests.count == 2 && server.openCount == 1)
        let segments = relay.timeline().segments
        for (before, after) in zip(segments, segments.dropFirst()) {
            #expect(
                after.startMilliseconds >= before.startMilliseconds + before.durationSeconds * 1000 - 0.01)
        }
        #expect(relay.playlist().components(separatedBy: "#EXT-X-DISCONTINUITY\n").count == 3)
    }

    @Test("A relay that no one uses closes its connection and deletes its files")
    func idle() async throws {
        let server = try RadioServer(try await StationSound.mp3.value, bytesPerSecond: Self.fast)
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relays = Self.relays(directory) { $0.idleSeconds = 1.5 }
        let relay = try relays.relay(stationID: 1, address: server.address())
        try await until { relay.timeline().segments.count >= 2 }
        #expect(server.requests.count == 1)
        try await until { relays.running(stationID: 1) == nil && server.openCount == 0 }
        try await until {
            try FileManager.default.contentsOfDirectory(atPath: directory.file("radio")).isEmpty
        }
        // It starts again when it is used again.
        let again = try relays.relay(stationID: 1, address: server.address())
        #expect(again !== relay)
        try await until { again.timeline().segments.count >= 1 }
    }

    @Test("Only so many stations are relayed at once")
    func limit() async throws {
        let server = try RadioServer(try await StationSound.mp3.value, bytesPerSecond: Self.fast)
        defer { server.end() }
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let relays = Self.relays(directory) { $0.stationLimit = 2 }
        for id in 1...2 { _ = try relays.relay(stationID: id, address: server.address()) }
        let error = #expect(throws: RelayError.self) {
            try relays.relay(stationID: 3, address: server.address())
        }
        #expect(error?.code == .tooManyStations)
        relays.stop(stationID: 1)
        _ = try relays.relay(stationID: 3, address: server.address())
    }

    @Test(
        "Lists of all kinds lead to the stream",
        arguments: [
            ("audio/x-scpls", "[playlist]\nFile1=ADDRESS/live\n"),
            ("audio/x-mpegurl", "#EXTM3U\nADDRESS/live\n"),
            ("video/x-ms-asf", "<asx version=\"3.0\"><entry><ref href=\"ADDRESS/live\"/></entry></asx>"),
            ("audio/x-mpegurl", "/list2\n"),
        ])
    func lists(_ type: String, _ text: String) async throws {
        let server = try RadioServer(try await StationSound.mp3.value, bytesPerSecond: Self.fast)
        defer { server.end() }
        let base = server.address("")
        server.serve(Array(text.replacing("ADDRESS", with: base).utf8), type: type, at: "/list")
        server.serve(Array("/live\n".utf8), type: "audio/mpegurl", at: "/list2")
        server.redirect("/moved", to: "/list")
        let directory = try TemporaryDirectory()
        let relays = Self.relays(directory)
        let check = try relays.check(server.address("/moved"))
        #expect(check.format == .mp3 && check.delivery == .stream && check.name == "Test Radio")
        #expect(check.bitRate == 64_000 && check.genre == "Tests")
    }

    @Test("Addresses in private networks are refused, also behind lists and redirections")
    func privateAddresses() async throws {
        let server = try RadioServer(try await StationSound.mp3.value, bytesPerSecond: Self.fast)
        defer { server.end() }
        server.serve(Array("http://127.0.0.2:\(server.port)/live\n".utf8), type: "audio/mpegurl", at: "/list")
        server.redirect("/moved", to: "http://10.0.0.1/live")
        server.serve(
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://169.254.169.254/latest\n".utf8),
            type: "application/vnd.apple.mpegurl", at: "/live.m3u8")
        server.serve(Array("file:///etc/passwd\n".utf8), type: "audio/mpegurl", at: "/file")
        let directory = try TemporaryDirectory()
        let relays = Self.relays(directory)
        for path in ["/list", "/moved", "/live.m3u8", "/file"] {
            let error = #expect(throws: RelayError.self) { try relays.check(server.address(path)) }
            #expect(error?.code == .badAddress, "\(path): \(String(describing: error))")
        }
        let strict = StationRelays(folder: try TemporaryDirectory().file("radio"), settings: RelaySettings())
        let error = #expect(throws: RelayError.self) {
            try strict.check(server.address("/live", credentials: "me:secret@"))
        }
        #expect(error?.code == .badAddress && error?.description.contains("secret") == false)
        #expect(!server.requests.contains("/live"))
    }

    @Test("An HLS station in transport streams is relayed, in order and without repetitions")
    func hls() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let wav = try directory.write(try await StationSound.transportStream.value, as: "in.ts")
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-i", wav, "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0",
                directory.file("all.m3u8"),
            ])
        let lines = String(decoding: try directory.read("all.m3u8"), as: UTF8.self).split(separator: "\n")
        let names = lines.filter { $0.hasSuffix(".ts") }.map(String.init)
        let server = try RadioServer([0], bytesPerSecond: 1)
        defer { server.end() }
        for name in names { server.serve(try directory.read(name), type: "video/mp2t", at: "/\(name)") }
        func publish(_ range: Range<Int>) {
            let entries = range.map { "#EXTINF:1,\($0 < 8 ? "X - Y" : "Z")\n\(names[$0])\n" }.joined()
            let text =
                "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(range.lowerBound)\n\(entries)"
            server.serve(Array(text.utf8), type: "application/vnd.apple.mpegurl", at: "/a/media.m3u8")
        }
        for name in names { server.redirect("/a/\(name)", to: "/\(name)") }
        server.serve(
            Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.2\"\na/media.m3u8\n".utf8),
            type: "application/vnd.apple.mpegurl", at: "/master.m3u8")
        publish(0..<6)
        let relay = try Self.relays(directory).relay(
            stationID: 1, address: server.address("/master.m3u8"))
        for start in 1...6 {
            try await Task.sleep(for: .milliseconds(600))
            publish(start..<start + 6)
        }
        try await until { relay.timeline().segments.count >= 4 && relay.timeline().titles.count == 2 }
        #expect(relay.timeline().titles.map(\.text) == ["X - Y", "Z"])
        let all = try relay.timeline().segments.flatMap { try Self.bytes(relay, $0) }
        let adts = try TransportStreamFeed.sound(of: await StationSound.transportStream.value)
        #expect(adts.firstRange(of: all) != nil && relay.timeline().segments.allSatisfy { $0.format == .aac })
    }
}

extension TransportStreamFeed {
    static func sound(of bytes: [UInt8]) -> [UInt8] {
        var feed = TransportStreamFeed()
        return feed.take(bytes)
    }
}
