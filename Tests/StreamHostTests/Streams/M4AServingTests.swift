import Analyzer
import Foundation
import LibraryStore
import MPEGAudio
import MusicShared
import TestSupport
import Testing

@testable import HostAccounts
@testable import StreamHost

/// AAC and ALAC files on the host: the original, and MP3 as HLS.
@Suite("M4A on the host", .timeLimit(.minutes(10)))
struct M4AServingTests {
    private static let sound = IntegerSound.tones(frameCount: 44_100 * 20 + 777)

    private static let library = Task {
        try await aside {
            let tags = [
                "-metadata", "title=Night Ferry", "-metadata", "artist=Anna", "-metadata", "track=3/12",
            ]
            return try ServedLibrary([
                ("ferry.m4a", try sound.mp4(["-c:a", "aac"] + tags)),
                ("lossless.m4a", try sound.mp4(["-c:a", "alac", "-movflags", "+faststart"] + tags)),
            ])
        }
    }

    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    @Test(
        "The original has its media type, and its bytes as a whole and in ranges",
        arguments: ["ferry.m4a", "lossless.m4a"])
    func original(name: String) async throws {
        let id = try served.id(name)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: served.file(name))))
        let whole = try await served.get("/api/files/\(id)/stream")
        #expect(whole.status == 200 && whole.field("Content-Type") == "audio/mp4" && whole.body == bytes)
        let part = try await served.get("/api/files/\(id)/stream", ["-r", "1000-1999"])
        #expect(part.status == 206 && part.body == Array(bytes[1000..<2000]))
        let report = try await served.get("/api/tracks/\(id)")
        #expect(try report.json("format") as? String == (name == "ferry.m4a" ? "aac" : "alac"))
        #expect(try report.json("title") as? String == "Night Ferry")
        #expect(try report.json("track_number") as? Int == 3)
        #expect(try report.json("sample_count") as? Int == Self.sound.frameCount)
    }

    @Test(
        "As MP3, the playlist is in step with the original, and the master playlist states both delays",
        arguments: ["ferry.m4a", "lossless.m4a"])
    func playlist(name: String) async throws {
        let id = try served.id(name)
        let run = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-headers", served.authorization + "\r\n", "-i",
                "\(served.base)/tracks/\(id)/stream.m3u8?quality=high", "-ac", "1", "-f", "f32le", "-",
            ])
        let samples = run.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        #expect(samples.count == (1 + (Self.sound.frameCount + 1151) / 1152) * 1152)
        let original = (0..<Self.sound.frameCount).map { place in
            Float(Self.sound.channels[0][place] + Self.sound.channels[1][place]) / 65_536
        }
        func difference(_ shift: Int) -> Double {
            (0..<8000).reduce(0) { sum, place in
                let difference = Double(samples[1152 + 400_000 + place + shift] - original[400_000 + place])
                return sum + difference * difference
            }
        }
        #expect((-30...30).min { difference($0) < difference($1) } == 0)
        let master = try await served.get("/tracks/\(id)/master.m3u8").text
        // 1152 samples less the decoder's own 529.
        #expect(master.contains("converted_encoder_delay_samples\",VALUE=\"623\""), "\(master)")
        let (delay, codec) = name == "ferry.m4a" ? (1024, "mp4a.40.2") : (0, "alac")
        #expect(master.contains(".encoder_delay_samples\",VALUE=\"\(delay)\""), "\(master)")
        #expect(master.contains("CODECS=\"mp4a.40.34\"") && master.contains("CODECS=\"\(codec)\""))
        let index = try await served.get("/tracks/\(id)/segments.json?quality=high")
        #expect(try index.json("is_converted") as? Bool == true && index.json("format") as? String == "mp3")
    }
}
