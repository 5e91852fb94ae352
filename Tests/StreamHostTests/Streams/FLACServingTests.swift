import Analyzer
import Foundation
import MPEGAudio
import LibraryStore
import MusicShared
import Tagging
import TestSupport
import Testing

@testable import StreamHost

/// FLAC files on the host: the original, and MP3 for players that need it.
@Suite("FLAC on the host", .timeLimit(.minutes(30)))
struct FLACServingTests {
    private static let sound = IntegerSound.tones(
        frameCount: 44_100 * 20 + 777, sampleRate: 44_100, channelCount: 2, bitDepth: 24)

    private static let library = Task {
        try await aside {
            let tags = [
                "TITLE=Night Ferry", "ARTIST=Anna", "ARTIST=Bert", "ALBUM=Harbour", "TRACKNUMBER=3",
                "TRACKTOTAL=12", "DATE=2019-05-01", "REPLAYGAIN_TRACK_GAIN=-3.50 dB",
            ].flatMap { ["-T", $0] }
            return try ServedLibrary([
                ("ferry.flac", try sound.flac(tags)),
                (
                    "surround.flac",
                    try IntegerSound.tones(
                        frameCount: 96_000 * 7, sampleRate: 96_000, channelCount: 6, bitDepth: 24
                    ).flac()
                ),
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

    @Test("The playlist streams MP3 of the same length, in step with the original")
    func playlist() async throws {
        let id = try served.id("ferry.flac")
        let run = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-headers", served.authorization + "\r\n", "-i",
                "\(served.base)/tracks/\(id)/stream.m3u8", "-ac", "1", "-f", "f32le", "-",
            ])
        let samples = run.output.withUnsafeBytes { bytes in
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
    }

    @Test("A surround file at 96 kHz streams as stereo at 48 kHz; the index says that segments are converted")
    func surround() async throws {
        let id = try served.id("surround.flac")
        let index = try await served.get("/tracks/\(id)/segments.json")
        #expect(try index.json("is_converted") as? Bool == true)
        #expect(try index.json("sample_rate_hz") as? Int == 48_000)
        #expect(try index.json("channels") as? Int == 2)
        #expect(try index.json("sample_count") as? Int == 48_000 * 7)
        #expect(try index.json("encoder_delay_samples") as? Int == 623)
        let segment = try await served.get("/tracks/\(id)/segments/0.mp3")
        #expect(segment.status == 200 && segment.field("Content-Type") == "audio/mpeg")
        let stream = try MPEGAudioStream.scan(segment.body.span.bytes)
        #expect(stream.format.sampleRate == 48_000 && stream.format.channelCount == 2)
        let other = try await served.get("/tracks/\(try served.id("song.mp3"))/segments.json")
        #expect(try other.json("is_converted") == nil)
    }

    @Test(
        "What only MP3 files can do is refused with a reason",
        arguments: ["stream.m3u8?normalize=-16", "stream.m3u8?fade=3", "stream.m3u8?form=byteranges"])
    func refused(path: String) async throws {
        let id = try served.id("ferry.flac")
        #expect(try await served.get("/tracks/\(id)/\(path)").status == 422)
    }

    @Test("Tags of FLAC files cannot be edited yet, and the file stays as it is")
    func tags() async throws {
        let before = try Data(contentsOf: URL(filePath: served.file("ferry.flac")))
        let answer = try await served.get(
            "/edit-metadata",
            [
                "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
                #"{"relative_path":"ferry.flac","title":"Other"}"#,
            ])
        #expect((400..<500).contains(answer.status), "\(answer.status)")
        #expect(answer.text.contains("cannot edit tags of FLAC files yet"), "\(answer.text)")
        #expect(try Data(contentsOf: URL(filePath: served.file("ferry.flac"))) == before)
    }
}
