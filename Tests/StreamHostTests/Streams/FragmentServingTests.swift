import Foundation
import AudioFrames
import LibraryStore
import MP4Audio
import OggAudio
import TestSupport
import Testing

@testable import HostAccounts
@testable import StreamHost

/// AAC, ALAC and Opus on the host: the original frames in fragments of MP4.
@Suite("AAC, ALAC and Opus on the host", .timeLimit(.minutes(30)))
struct FragmentServingTests {
    private static let sound = IntegerSound.tones(
        frameCount: 44_100 * 20 + 777, sampleRate: 44_100, channelCount: 2, bitDepth: 16)
    private static let sound48 = IntegerSound.tones(
        frameCount: 48_000 * 13 + 7, sampleRate: 48_000, channelCount: 2, bitDepth: 16, seed: 2)
    private static let surround = IntegerSound.tones(
        frameCount: 48_000 * 7, sampleRate: 48_000, channelCount: 6, bitDepth: 24, seed: 3)

    // Without perceptual noise substitution, whose noise depends on all frames decoded before.
    private static let library = Task {
        try await aside {
            try ServedLibrary(
                [
                    ("aac.m4a", try sound.mp4(["-c:a", "aac", "-b:a", "160k", "-aac_pns", "0"])),
                    ("alac.m4a", try sound.mp4(["-c:a", "alac", "-movflags", "+faststart"])),
                    ("surround.m4a", try surround.mp4(["-c:a", "alac"])),
                    ("opus.opus", try sound48.opus(["--bitrate", "128"])),
                    ("chain.opus", try sound48.opus() + sound48.opus(["--serial", "7"])),
                    ("flac.flac", try sound48.flac()),
                    ("vorbis.ogg", try sound48.vorbis()),
                ] + HEAACFile.allCases.map { ($0.rawValue, try $0.bytes) })
        }
    }

    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    private func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: served.file(name))))
    }

    /// Decodes with ffmpeg, to interleaved samples.
    private func decoded(_ address: String, _ options: [String] = []) async throws -> [Float] {
        let headers = address.hasPrefix("http") ? ["-headers", served.authorization + "\r\n"] : []
        let run = try await ProcessRun.aside(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + headers + options + ["-i", address, "-f", "f32le", "-"])
        return run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func playlist(_ name: String) throws -> String {
        "\(served.base)/tracks/\(try served.id(name))/stream.m3u8"
    }

    @Test(
        "ffmpeg decodes the playlists of ALAC to the samples of the file",
        arguments: ["alac.m4a", "surround.m4a"])
    func lossless(name: String) async throws {
        let sound = name == "alac.m4a" ? Self.sound : Self.surround
        let scale = 1 / Float(1 << (sound.bitDepth - 1))
        let heard = try await decoded(playlist(name))
        let samples = (0..<sound.frameCount).flatMap { place in
            sound.channels.map { Float($0[place]) * scale }
        }
        let isSame = heard == samples
        #expect(isSame)
    }

    @Test(
        "ffmpeg decodes the playlist of an AAC file as it decodes the file",
        arguments: [("aac.m4a", "mp4a.40.2"), ("he-aac.m4a", "mp4a.40.5"), ("he-aac-v2.m4a", "mp4a.40.29")])
    func aac(name: String, codec: String) async throws {
        let whole = try await decoded(
            served.file(name), ["-ignore_editlist", "1", "-flags2", "+skip_manual"])
        // ffmpeg itself does not drop the delay that an initialization segment states.
        let isSame = try await decoded(playlist(name)) == whole
        #expect(isSame)
        let lines = try await served.get("/tracks/\(try served.id(name))/master.m3u8").text
        #expect(lines.contains("CODECS=\"\(codec)\""), "\(lines)")
    }

    @Test("ffmpeg decodes the playlist of an Opus file to the samples of opusdec")
    func opus() async throws {
        let reference = try OggReference.opus(file("opus.opus"))
        let heard = try await decoded(playlist("opus.opus"))
        // Players do not learn where the padding of the last packet starts.
        #expect(heard.count >= reference.count && heard.count - reference.count < 2 * 960)
        // ffmpeg's decoder is another one; the tones have amplitudes up to 1.
        #expect(zip(heard, reference).allSatisfy { abs($0 - $1) < 1e-3 })
        let lines = try await served.get("/tracks/\(try served.id("opus.opus"))/master.m3u8").text
        #expect(lines.contains(#"CODECS="opus""#))
    }

    @Test(
        "Durations are those of the frames, and segments hold the frames of the file byte for byte",
        arguments: ["aac.m4a", "he-aac.m4a", "he-aac-v2.m4a", "alac.m4a", "opus.opus"])
    func segments(name: String) async throws {
        let id = try served.id(name)
        let bytes = try file(name)
        let frames: [(bytes: [UInt8], samples: Int)]
        let rate: Int
        if name == "opus.opus" {
            let packets = try OggAudioStream.scan(bytes.span.bytes).index.packets
            frames = (0..<packets.count).map {
                (packets[$0].bytes(of: bytes.span.bytes), packets[$0].sampleCount)
            }
            rate = 48_000
        } else {
            frames = try ListedPacket.list(bytes).map { packet in
                (
                    Array(bytes[packet.position..<packet.position + packet.size]),
                    name == "aac.m4a" ? 1024 : name == "alac.m4a" ? 4096 : 2048
                )
            }
            rate = 44_100
        }
        let text = try await served.get("/tracks/\(id)/stream.m3u8").text
        let seconds = text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Double($0.dropFirst(8).dropLast()) }.reduce(0, +)
        let samples =
            name == "alac.m4a" ? Self.sound.frameCount : frames.reduce(0) { $0 + $1.samples }
        #expect(abs(seconds - Double(samples) / Double(rate)) < 2e-6)
        var joined: [UInt8] = []
        let names = text.split(separator: "\n").filter { $0.hasPrefix("segments/") }
        for segment in names {
            let answer = try await served.get("/tracks/\(id)/\(segment)")
            #expect(answer.status == 200 && answer.field("Content-Type") == "audio/mp4")
            let data = try #require(answer.body.firstRange(of: Array("mdat".utf8)))
            joined += answer.body[data.upperBound...]
        }
        let isSame = joined == frames.flatMap(\.bytes)
        #expect(isSame)
    }

    @Test(
        "A track is one MP4 file, which ffmpeg decodes like the playlist, and ranges of it are its bytes",
        arguments: ["aac.m4a", "he-aac.m4a", "he-aac-v2.m4a", "alac.m4a", "opus.opus", "flac.flac"])
    func wholeFile(name: String) async throws {
        let id = try served.id(name)
        let whole = try await served.get("/tracks/\(id)/audio.mp4")
        #expect(whole.status == 200 && whole.field("Content-Type") == "audio/mp4")
        let directory = try TemporaryDirectory()
        let path = try directory.write(whole.body, as: "audio.mp4")
        let isSame = try await decoded(path) == decoded(playlist(name))
        #expect(isSame)
        for (first, last) in [(0, 10), (5, 5000), (whole.body.count - 7_000, whole.body.count - 1)] {
            let part = try await served.get("/tracks/\(id)/audio.mp4", ["-r", "\(first)-\(last)"])
            let isPart = part.body == Array(whole.body[first...last])
            #expect(part.status == 206 && isPart)
        }
    }

    /// Decodes each segment as the page does.
    @Test(
        "Each range of the index, after the head and with its pre-roll, decodes to the samples of the whole file",
        arguments: [
            ("aac.m4a", Float?(1e-5)), ("he-aac.m4a", nil), ("he-aac-v2.m4a", nil), ("alac.m4a", 0),
            ("opus.opus", 2e-5),
        ])
    func ranges(name: String, tolerance: Float?) async throws {
        let id = try served.id(name)
        let index = try await served.get("/tracks/\(id)/segments.json")
        let address = try #require(try index.json("file_url") as? String)
        let whole = try await served.get(address).body
        #expect(try index.json("file_size_bytes") as? Int == whole.count)
        let text = try #require(try index.json("stream_head") as? String)
        let head = [UInt8](try #require(Data(base64Encoded: text)))
        let reference = try await decoded(playlist(name))
        // ffmpeg drops the delay of Opus, which the decoder's header states, but not that of AAC.
        let dropped = name == "opus.opus" ? try #require(try index.json("encoder_delay_samples") as? Int) : 0
        let segments = try #require(try index.json("segments") as? [[String: Any]])
        #expect(segments.count >= 3)
        for segment in segments {
            func number(_ key: String) throws -> Int { try #require(segment[key] as? Int) }
            let start = try number("preroll_byte_offset")
            let end = try number("byte_offset") + number("byte_length")
            let directory = try TemporaryDirectory()
            let path = try directory.write(head + whole[start..<end], as: "part.mp4")
            let heard = try await decoded(path)
            let own = try number("sample_count") * 2
            try #require(heard.count >= own)
            let first = (try number("start_sample") - dropped) * 2
            let wanted = reference[max(0, first)..<min(first + own, reference.count)]
            let mine = heard.suffix(own).dropFirst(max(0, -first)).prefix(wanted.count)
            if let tolerance {
                #expect(
                    zip(mine, wanted).allSatisfy { abs($0 - $1) <= tolerance }, "\(segment["index"] ?? "")")
            } else {
                #expect(HEAACFile.isAlike(Array(mine), Array(wanted)), "\(segment["index"] ?? "")")
            }
        }
    }

    @Test("mpv plays the playlists", arguments: ["aac.m4a", "alac.m4a", "opus.opus"])
    func mpv(name: String) async throws {
        let directory = try TemporaryDirectory()
        try await ProcessRun.aside(
            "timeout",
            [
                "200", "mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pcm",
                "--ao-pcm-file=\(directory.file("played.wav"))",
                "--http-header-fields=\(served.authorization)", try playlist(name),
            ])
        let seconds = Double(try await decoded(directory.file("played.wav")).count) / 2
        let (count, rate) =
            name == "opus.opus"
            ? (Self.sound48.frameCount, 48_000.0) : (Self.sound.frameCount, 44_100.0)
        #expect(abs(seconds - Double(count)) / rate < 0.06)
    }

    @Test(
        "Chromium plays the segments of a playlist, seeks and reaches the end",
        arguments: [
            ("aac.m4a", "mp4a.40.2"), ("he-aac.m4a", "mp4a.40.5"), ("he-aac-v2.m4a", "mp4a.40.29"),
            ("opus.opus", "opus"),
        ])
    func chromium(name: String, codec: String) async throws {
        let seconds =
            switch name {
            case "opus.opus": Double(Self.sound48.frameCount) / 48_000
            case "aac.m4a": Double(Self.sound.frameCount) / 44_100
            default: Double(HEAACFile.frameCount) / 44_100
            }
        try await PlayerTests.playInChromium(
            "/tracks/\(try served.id(name))/stream.m3u8", of: served,
            type: "audio/mp4; codecs=\"\(codec)\"", seconds: seconds)
    }

    @Test("A list of these formats is one stream without whole frames of delay and padding")
    func continuous() async throws {
        let ids = try ["alac.m4a", "flac.flac", "aac.m4a", "opus.opus"].map { try served.id($0) }
        let made = try await served.send("POST", "/api/playlists", ["name": "mixed", "track_ids": ids])
        let id = try #require(try made.json("id") as? Int)
        let text = try await served.get("/playlists/\(id)/stream.m3u8").text
        #expect(!text.contains(".mp3") && !text.contains("omitted"))
        #expect(text.components(separatedBy: "#EXT-X-MAP").count == 5)
        #expect(text.components(separatedBy: "#EXT-X-DISCONTINUITY").count == 4)
        let seconds = text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Double($0.split(separator: ",")[0].dropFirst(8)) }.reduce(0, +)
        let music = 2 * Double(Self.sound.frameCount) / 44_100 + 2 * Double(Self.sound48.frameCount) / 48_000
        // Less than two frames of AAC and of Opus.
        #expect(seconds >= music && seconds < music + 2 * 2048.0 / 44_100)
    }

    @Test(
        "A list that contains a chained stream or Vorbis is sent as MP3 whole",
        arguments: ["chain.opus", "vorbis.ogg"])
    func convertedList(name: String) async throws {
        let ids = try ["flac.flac", name, "opus.opus"].map { try served.id($0) }
        let made = try await served.send(
            "POST", "/api/playlists", ["name": "with \(name)", "track_ids": ids])
        let id = try #require(try made.json("id") as? Int)
        let text = try await served.get("/playlists/\(id)/stream.m3u8").text
        #expect(!text.contains("omitted") && !text.contains(".m4s"))
        for track in ids { #expect(text.contains("tracks/\(track)/segments/0.mp3")) }
    }

    @Test("Chained streams and Vorbis are sent as MP3", arguments: ["chain.opus", "vorbis.ogg"])
    func converted(name: String) async throws {
        let id = try served.id(name)
        let text = try await served.get("/tracks/\(id)/stream.m3u8").text
        #expect(text.contains("segments/0.mp3?") && text.contains("quality=high"))
        for path in ["segments/0.m4s", "init.mp4", "audio.mp4"] {
            let refused = try await served.get("/tracks/\(id)/\(path)")
            #expect(refused.status == 404 && refused.errorCode == "no_such_segment")
        }
    }

    @Test(
        "OpenSubsonic apps get the original from its start, and MP3 from another time",
        arguments: ["aac.m4a", "alac.m4a", "opus.opus"])
    func subsonic(name: String) async throws {
        let id = try served.id(name)
        let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "f \(name)")
        func stream(_ query: String) async throws -> ServedLibrary.Answer {
            try await served.get(
                "/rest/stream?id=tr-\(id)&v=1.16.1&c=app&u=owner&p=\(password)\(query)", key: "")
        }
        let isOriginal = try await stream("").body == file(name)
        #expect(isOriginal)
        let later = try await stream("&timeOffset=7")
        #expect(later.status == 200 && later.field("Content-Type") == "audio/mpeg")
        let directory = try TemporaryDirectory()
        let samples = try await decoded(directory.write(later.body, as: "later.mp3"))
        let sound = name == "opus.opus" ? Self.sound48 : Self.sound
        let seconds = Double(sound.frameCount) / Double(sound.sampleRate) - 7
        #expect(abs(Double(samples.count / 2) / Double(sound.sampleRate) - seconds) < 0.1)
    }

    @Test("Only MP3 is normalised or faded on the host")
    func refused() async throws {
        let id = try served.id("aac.m4a")
        for option in ["normalize=-16", "fade=3"] {
            let refused = try await served.get("/tracks/\(id)/stream.m3u8?\(option)")
            #expect(refused.status == 422 && refused.errorCode == "not_normalised")
        }
        #expect(try await served.get("/tracks/\(id)/segments/0.m4s?gain=2").status == 422)
        #expect(try await served.get("/tracks/\(id)/segments/99.m4s").status == 404)
    }
}
