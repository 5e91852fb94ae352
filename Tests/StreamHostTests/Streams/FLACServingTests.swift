import Analyzer
import Foundation
import MPEGAudio
import LibraryStore
import MusicShared
import Tagging
import TestSupport
import Testing

@testable import HostAccounts
@testable import StreamHost

/// FLAC files on the host: the original, its frames as HLS, and MP3 for players that need it.
@Suite("FLAC on the host", .timeLimit(.minutes(30)))
struct FLACServingTests {
    private static let sound = IntegerSound.tones(
        frameCount: 44_100 * 20 + 777, sampleRate: 44_100, channelCount: 2, bitDepth: 24)

    private static let surround = IntegerSound.tones(
        frameCount: 96_000 * 7, sampleRate: 96_000, channelCount: 6, bitDepth: 24)

    /// Ten seconds, of which the first and the last two are silent.
    private static let quiet: IntegerSound = {
        let sound = IntegerSound.tones(
            frameCount: 441_000, sampleRate: 44_100, channelCount: 2, bitDepth: 16, seed: 4)
        let channels = sound.channels.map { channel in
            channel.indices.map { (88_200..<352_800).contains($0) ? channel[$0] : 0 }
        }
        return IntegerSound(sampleRate: 44_100, channels: channels, bitDepth: 16)
    }()

    /// Three seconds of a sine at 1 kHz.
    private static let tone = IntegerSound(
        sampleRate: 96_000,
        channels: [(0..<288_000).map { Int32((sin(2 * Double.pi * Double($0) / 96) * 4_000_000).rounded()) }],
        bitDepth: 24)

    private static let second = IntegerSound.tones(
        frameCount: 7 * 44_100 + 5, sampleRate: 44_100, channelCount: 2, bitDepth: 16, seed: 5)

    private static let library = Task {
        try await aside {
            let tags = [
                "TITLE=Night Ferry", "ARTIST=Anna", "ARTIST=Bert", "ALBUM=Harbour", "TRACKNUMBER=3",
                "TRACKTOTAL=12", "DATE=2019-05-01", "REPLAYGAIN_TRACK_GAIN=-3.50 dB",
            ].flatMap { ["-T", $0] }
            return try ServedLibrary([
                ("ferry.flac", try sound.flac(tags)),
                ("surround.flac", try surround.flac()),
                ("quiet.flac", try quiet.flac(["-b", "4096"])),
                ("second.flac", try second.flac()),
                ("tone96.flac", try tone.flac()),
                ("song.mp3", try Encoders.lame(PCM.music(frameCount: 44_100 * 10))),
            ])
        }
    }

    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    @Test("The original has its media type, and its bytes as a whole and in ranges")
    func original() async throws {
        let id = try served.id("ferry.flac")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: served.file("ferry.flac"))))
        let whole = try await served.get("/api/files/\(id)/stream")
        #expect(whole.status == 200 && whole.field("Content-Type") == "audio/flac" && whole.body == bytes)
        let part = try await served.get("/api/files/\(id)/stream", ["-r", "1000-1999"])
        #expect(part.status == 206 && part.body == Array(bytes[1000..<2000]))
    }

    @Test("Reports name format, bit depth and tags")
    func report() async throws {
        let answer = try await served.get("/api/tracks/\(try served.id("ferry.flac"))")
        #expect(try answer.json("format") as? String == "flac")
        #expect(try answer.json("bit_depth") as? Int == 24)
        #expect(try answer.json("title") as? String == "Night Ferry")
        #expect(try answer.json("track_number") as? Int == 3)
        #expect(try answer.json("year") as? Int == 2019)
        let track = try #require(try served.library.track(id: try served.id("ferry.flac")))
        #expect(track.track.tags.artist == "Anna; Bert" && track.track.tags.track.total == 12)
        #expect(track.analysis?.stream.sampleCount == Self.sound.frameCount)
        #expect(track.analysis?.stream.format == .flac && track.analysis?.stream.mpegVersion == nil)
    }

    /// Decodes a playlist with ffmpeg.
    private func decoded(_ path: String, as options: [String]) async throws -> Data {
        try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-headers", served.authorization + "\r\n", "-i",
                "\(served.base)\(path)",
            ] + options + ["-"]
        ).output
    }

    @Test(
        "ffmpeg decodes the playlist to the samples of the file", arguments: ["ferry.flac", "surround.flac"])
    func lossless(name: String) async throws {
        let sound = name == "ferry.flac" ? Self.sound : Self.surround
        let id = try served.id(name)
        let samples = try await decoded("/tracks/\(id)/stream.m3u8", as: ["-f", "s24le"])
        #expect([UInt8](samples) == sound.bytes)
        let text = try await served.get("/tracks/\(id)/stream.m3u8").text
        #expect(text.contains("#EXT-X-VERSION:6\n") && text.contains("#EXT-X-MAP:URI=\"init.mp4?v="))
        let seconds = text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
            .compactMap { Double($0.dropFirst(8).dropLast()) }.reduce(0, +)
        #expect(abs(seconds - Double(sound.frameCount) / Double(sound.sampleRate)) < 2e-6)
    }

    @Test("mpv plays the playlists bit for bit", arguments: ["stream.m3u8", "master.m3u8"])
    func mpv(playlist: String) async throws {
        let id = try served.id("ferry.flac")
        let directory = try TemporaryDirectory()
        try await ProcessRun.aside(
            "timeout",
            [
                "200", "mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pcm",
                "--ao-pcm-file=\(directory.file("played.wav"))",
                "--http-header-fields=\(served.authorization)", "\(served.base)/tracks/\(id)/\(playlist)",
            ])
        let played = try await ProcessRun.aside(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", directory.file("played.wav"), "-f", "s24le", "-"])
        #expect([UInt8](played.output) == Self.sound.bytes)
    }

    /// Appends the initialization segment and all others, like HLS libraries in browsers.
    @Test("Chromium plays the segments of a playlist, seeks and reaches the end")
    func chromium() async throws {
        let id = try served.id("ferry.flac")
        try await PlayerTests.playInChromium(
            "/tracks/\(id)/stream.m3u8", of: served, type: #"audio/mp4; codecs="flac""#,
            seconds: Double(Self.sound.frameCount) / 44_100)
    }

    @Test("OpenSubsonic apps start anywhere in a FLAC file, and get MP3 below their limit of the bit rate")
    func subsonic() async throws {
        let id = try served.id("ferry.flac")
        let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "f")
        func stream(_ query: String) async throws -> ServedLibrary.Answer {
            try await served.get(
                "/rest/stream?id=tr-\(id)&v=1.16.1&c=app&u=owner&p=\(password)&\(query)", key: "")
        }
        let later = try await stream("timeOffset=7")
        #expect(later.status == 200 && later.field("Content-Type") == "audio/flac")
        let directory = try TemporaryDirectory()
        let path = try directory.write(later.body, as: "later.flac")
        let decoded = try await ProcessRun.aside(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-f", "s24le", "-"])
        // The end of the sound, from the frame that contains the time.
        let bytes = [UInt8](decoded.output)
        #expect(bytes == Array(Self.sound.bytes.suffix(bytes.count)))
        let start = Double(Self.sound.frameCount - bytes.count / 6) / 44_100
        #expect(start <= 7 && start > 7 - 4608.0 / 44_100)
        for (limit, rate) in [(320, 192_000), (128, 64_000)] {
            let converted = try await stream("maxBitRate=\(limit)")
            #expect(converted.field("Content-Type") == "audio/mpeg")
            #expect(try MPEGAudioStream.scan(converted.body.span.bytes).averageBitRate == rate)
        }
        #expect(try await stream("timeOffset=21").text.contains("beyond the end"))
    }

    @Test(
        "Segments have their media type, are cached for ever, and hold the frames of the file byte for byte")
    func segments() async throws {
        let id = try served.id("ferry.flac")
        let file = [UInt8](try Data(contentsOf: URL(filePath: served.file("ferry.flac"))))
        let index = try await served.get("/tracks/\(id)/segments.json")
        let hash = try #require(try index.json("audio_hash") as? String)
        let segments = try #require(try index.json("segments") as? [[String: Any]])
        #expect(segments.count == 4)
        for segment in segments {
            let number = try #require(segment["index"] as? Int)
            let (start, length) = (
                try #require(segment["byte_offset"] as? Int), try #require(segment["byte_length"] as? Int)
            )
            let answer = try await served.get("/tracks/\(id)/segments/\(number).m4s?v=\(hash)")
            #expect(answer.status == 200 && answer.field("Content-Type") == "audio/mp4")
            #expect(answer.field("Cache-Control")?.contains("immutable") == true)
            #expect(Array(answer.body.suffix(length)) == Array(file[start..<start + length]))
            let part = try await served.get("/tracks/\(id)/segments/\(number).m4s?v=\(hash)", ["-r", "5-99"])
            #expect(part.status == 206 && part.body == Array(answer.body[5..<100]))
        }
        #expect(try await served.get("/tracks/\(id)/segments/4.m4s").status == 404)
        #expect(try await served.get("/tracks/\(id)/segments/0.m4s?v=0123").status == 404)
        #expect(try await served.get("/tracks/\(id)/segments/0.m4s?frames=0-9999999").status == 404)
        #expect(try await served.get("/tracks/\(id)/segments/0.m4s?gain=2").status == 422)
        let other = try served.id("song.mp3")
        #expect(try await served.get("/tracks/\(other)/segments/0.m4s").status == 404)
        #expect(try await served.get("/tracks/\(other)/init.mp4").status == 404)
    }

    @Test("Each range of the index, after the stream's head, is a FLAC stream of its own")
    func ranges() async throws {
        let id = try served.id("surround.flac")
        let file = [UInt8](try Data(contentsOf: URL(filePath: served.file("surround.flac"))))
        let index = try await served.get("/tracks/\(id)/segments.json")
        #expect(try index.json("format") as? String == "flac" && index.json("channels") as? Int == 6)
        #expect(try index.json("is_converted") == nil)
        let text = try #require(try index.json("stream_head") as? String)
        let head = try #require(Data(base64Encoded: text))
        let segments = try #require(try index.json("segments") as? [[String: Any]])
        for segment in segments {
            let start = try #require(segment["byte_offset"] as? Int)
            let length = try #require(segment["byte_length"] as? Int)
            let first = try #require(segment["start_sample"] as? Int)
            let count = try #require(segment["sample_count"] as? Int)
            let directory = try TemporaryDirectory()
            let path = try directory.write(
                [UInt8](head) + file[start..<start + length], as: "part.flac")
            let run = try await ProcessRun.aside(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-f", "s24le", "-"])
            let frame = 3 * Self.surround.channels.count
            #expect(
                [UInt8](run.output) == Array(Self.surround.bytes[first * frame..<(first + count) * frame]))
        }
    }

    @Test("The master playlist offers the original first, then MP3 with 192 and 64 kbit/s")
    func master() async throws {
        let id = try served.id("ferry.flac")
        let text = try await served.get("/tracks/\(id)/master.m3u8").text
        let variants = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(variants == ["stream.m3u8", "stream.m3u8?quality=high", "stream.m3u8?quality=low"])
        let codecs = text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-STREAM-INF") }.map {
            $0.split(separator: "\"")[1]
        }
        #expect(codecs == ["fLaC", "mp4a.40.34", "mp4a.40.34"])
    }

    @Test("Trimmed streams have whole frames, and start and end as stated")
    func trimmed() async throws {
        let id = try served.id("quiet.flac")
        let track = try #require(try served.library.track(id: id))
        let silence = try #require(track.analysis?.profile?.silence)
        #expect(abs(silence.leadingEndSeconds - 2) < 0.05 && abs(silence.trailingStartSeconds - 8) < 0.05)
        let samples = try await decoded("/tracks/\(id)/stream.m3u8?trim=silence", as: ["-f", "s16le"])
        let count = samples.count / 4
        // Six seconds, and up to a frame of 4,096 samples more at each end.
        #expect((6 * 44_100 - 4410...6 * 44_100 + 2 * 4096).contains(count))
        let bytes = [UInt8](samples)
        let whole = Self.quiet.bytes
        let first = Int(silence.leadingEndSeconds * 44_100) / 4096 * 4096
        #expect(bytes == Array(whole[first * 4..<first * 4 + bytes.count]))
    }

    @Test("Albums of FLAC files are one lossless stream; among MP3 files, FLAC is sent as MP3")
    func continuous() async throws {
        let ids = try ["quiet.flac", "second.flac", "song.mp3"].map { try served.id($0) }
        func playlist(_ ids: [Int]) async throws -> Int {
            let made = try await served.send(
                "POST", "/api/playlists", ["name": "p\(ids.count)", "track_ids": ids])
            return try #require(try made.json("id") as? Int)
        }
        let lossless = try await playlist(Array(ids[..<2]))
        let samples = try await decoded("/playlists/\(lossless)/stream.m3u8", as: ["-f", "s16le"])
        #expect([UInt8](samples) == Self.quiet.bytes + Self.second.bytes)
        let text = try await served.get("/playlists/\(lossless)/stream.m3u8").text
        #expect(text.contains("start=\(Self.quiet.frameCount)") && !text.contains(".mp3"))
        let mixed = try await playlist(ids)
        let lines = try await served.get("/playlists/\(mixed)/stream.m3u8").text
        #expect(!lines.contains("EXT-X-MAP") && !lines.contains("omitted"))
        #expect(lines.contains("/tracks/\(ids[0])/segments/0.mp3?") && lines.contains("quality=high"))
        let heard = try await decoded("/playlists/\(mixed)/stream.m3u8", as: ["-ar", "44100", "-f", "s16le"])
        // 10 s, 7 s and 10 s, and less than three frames of silence at each joint.
        #expect(abs(Double(heard.count) / 4 / 44_100 - 27) < 0.25)
        for option in ["normalize=-16", "fade=3"] {
            let refused = try await served.get("/playlists/\(mixed)/stream.m3u8?\(option)")
            #expect(refused.status == 422 && refused.errorCode == "not_normalised")
        }
    }

    @Test(
        "As MP3, the playlist has the same length, in step with the original", arguments: ["high", "low"])
    func playlist(quality: String) async throws {
        let id = try served.id("ferry.flac")
        let run = try await decoded(
            "/tracks/\(id)/stream.m3u8?quality=\(quality)", as: ["-ac", "1", "-f", "f32le"])
        let samples = run.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        // A silent frame, the sound, and silence up to the end of the last frame.
        #expect(samples.count == (1 + (Self.sound.frameCount + 1151) / 1152) * 1152)
        let scale = 1 / Float(1 << 23)
        let original = (0..<Self.sound.frameCount).map { place in
            Float(Self.sound.channels[0][place] + Self.sound.channels[1][place]) * scale / 2
        }
        func difference(_ shift: Int) -> Double {
            (0..<8000).reduce(0) { sum, place in
                let difference = Double(samples[1152 + 400_000 + place + shift] - original[400_000 + place])
                return sum + difference * difference
            }
        }
        #expect((-30...30).min { difference($0) < difference($1) } == 0)
        // 3 s after the start: 192 or 64 kbit/s, and a timestamp.
        let segment = try await served.get("/tracks/\(id)/segments/1.mp3?quality=\(quality)")
        let stream = try MPEGAudioStream.scan(segment.body.span.bytes)
        #expect(stream.averageBitRate == (quality == "high" ? 192_000 : 64_000))
    }

    @Test("As MP3, a tone at 96 kHz keeps its phase", arguments: ["high", "low"])
    func resampled(quality: String) async throws {
        let id = try served.id("tone96.flac")
        let bytes = try await decoded(
            "/tracks/\(id)/stream.m3u8?quality=\(quality)", as: ["-ac", "1", "-f", "f32le"])
        let samples = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        // The phase of the tone, counted from the first sample after the silent frame.
        var (sine, cosine) = (0.0, 0.0)
        for index in 48_000..<96_000 {
            let angle = 2 * Double.pi * 1000 * Double(index) / 48_000
            sine += Double(samples[1152 + index]) * sin(angle)
            cosine += Double(samples[1152 + index]) * cos(angle)
        }
        // A delay by one sample is 0.13.
        #expect(abs(atan2(cosine, sine)) < 0.002)
    }

    @Test("As MP3, a surround file at 96 kHz is stereo at 48 kHz; the index says that segments are converted")
    func surround() async throws {
        let id = try served.id("surround.flac")
        let index = try await served.get("/tracks/\(id)/segments.json?quality=high")
        #expect(try index.json("is_converted") as? Bool == true)
        #expect(try index.json("sample_rate_hz") as? Int == 48_000)
        #expect(try index.json("channels") as? Int == 2)
        #expect(try index.json("sample_count") as? Int == 48_000 * 7)
        #expect(try index.json("encoder_delay_samples") as? Int == 623)
        let segment = try await served.get("/tracks/\(id)/segments/0.mp3")
        #expect(segment.status == 200 && segment.field("Content-Type") == "audio/mpeg")
        let stream = try MPEGAudioStream.scan(segment.body.span.bytes)
        #expect(stream.format.sampleRate == 48_000 && stream.format.channelCount == 2)
        let own = try await served.get("/tracks/\(id)/segments.json")
        let converted = try #require(try own.json("converted") as? [String: Int])
        // A silent frame of 1,152 samples before the music; 255 frames are 6.12 s.
        #expect(
            converted == [
                "sample_rate_hz": 48_000, "samples_per_frame": 1152, "lead_samples": 1152,
                "frame_count": 1 + (48_000 * 7 + 1151) / 1152, "segment_frames": 255,
            ])
        let other = try served.id("song.mp3")
        let index2 = try await served.get("/tracks/\(other)/segments.json")
        #expect(try index2.json("is_converted") == nil && index2.json("format") as? String == "mp3")
        let refused = try await served.get("/tracks/\(other)/stream.m3u8?quality=high")
        #expect(refused.status == 422 && refused.errorCode == "no_low_quality")
    }

    @Test(
        "What only MP3 files can do is refused with a reason",
        arguments: [
            "stream.m3u8?normalize=-16", "stream.m3u8?fade=3", "stream.m3u8?form=byteranges",
            "stream.m3u8?quality=low&fade=3", "stream.m3u8?quality=high&form=byteranges",
        ])
    func refused(path: String) async throws {
        let id = try served.id("ferry.flac")
        #expect(try await served.get("/tracks/\(id)/\(path)").status == 422)
    }
}
