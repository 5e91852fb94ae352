import Analyzer
import Foundation
import LibraryStore
import MPEGAudio
import MusicShared
import TestSupport
import Testing

@testable import HostAccounts
@testable import StreamHost

/// WAV and AIFF files on the host: the original as it is, and MP3 for everything that is cut into segments.
@Suite("WAV and AIFF on the host", .timeLimit(.minutes(30)))
struct PCMServingTests {
    private static let sound = PCM.music(frameCount: 44_100 * 15 + 7)

    private static let library = Task {
        try await aside {
            let directory = try TemporaryDirectory()
            let input = try directory.write(sound.wav, as: "in.wav")
            try ProcessRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-i", input, "-write_id3v2", "1", "-metadata", "title=Night Ferry",
                    directory.file("out.aiff"),
                ])
            return try ServedLibrary([
                ("plain.wav", sound.wav), ("ferry.aiff", try directory.read("out.aiff")),
                ("song.mp3", try Encoders.lame(PCM.music(frameCount: 44_100 * 5, seed: 3))),
            ])
        }
    }

    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    @Test(
        "The original has its media type, and its bytes as a whole and in ranges",
        arguments: [("plain.wav", "audio/wav"), ("ferry.aiff", "audio/aiff")])
    func original(name: String, type: String) async throws {
        let id = try served.id(name)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: served.file(name))))
        let whole = try await served.get("/api/files/\(id)/stream")
        #expect(whole.status == 200 && whole.field("Content-Type") == type && whole.body == bytes)
        let part = try await served.get("/api/files/\(id)/stream", ["-r", "1000-1999"])
        #expect(part.status == 206 && part.body == Array(bytes[1000..<2000]))
    }

    @Test(
        "The master playlist has MP3 in both qualities; playlists, indexes and segments without a quality are the high one"
    )
    func segments() async throws {
        let id = try served.id("plain.wav")
        let master = try await served.get("/tracks/\(id)/master.m3u8").text
        let variants = master.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(variants == ["stream.m3u8?quality=high", "stream.m3u8?quality=low"])
        let playlist = try await served.get("/tracks/\(id)/stream.m3u8").text
        #expect(playlist.contains("segments/0.mp3?") && playlist.contains("quality=high"))
        let index = try await served.get("/tracks/\(id)/segments.json")
        #expect(try index.json("is_converted") as? Bool == true)
        #expect(try index.json("sample_count") as? Int == Self.sound.frameCount)
        let segment = try await served.get("/tracks/\(id)/segments/0.mp3")
        #expect(try MPEGAudioStream.scan(segment.body.span.bytes).averageBitRate == 192_000)
        #expect(try await served.get("/tracks/\(id)/segments/0.m4s").status == 404)
        #expect(try await served.get("/tracks/\(id)/init.mp4").status == 404)
        let ranges = try await served.get("/tracks/\(id)/stream.m3u8?form=byteranges")
        #expect(ranges.status == 422)
    }

    @Test("The positions of the quality high are those of frames in a file with ranges")
    func convertedFile() async throws {
        let id = try served.id("plain.wav")
        let index = try await served.get("/tracks/\(id)/segments.json?quality=high")
        let address = try #require(try index.json("file_url") as? String)
        #expect(address == "/tracks/\(id)/audio.mp3?quality=high")
        let whole = try await served.get(address)
        #expect(whole.status == 200 && whole.field("Content-Type") == "audio/mpeg")
        #expect(try index.json("file_size_bytes") as? Int == whole.body.count)
        let frames = try MPEGAudioStream.scan(whole.body.span.bytes).index
        let segments = try #require(try index.json("segments") as? [[String: Any]])
        #expect(segments.count == 3)
        for segment in segments {
            let first = try #require(segment["first_frame"] as? Int)
            #expect(segment["byte_offset"] as? Int == frames[first].offset)
        }
        let part = try await served.get(address, ["-r", "1000-1999"])
        #expect(part.status == 206 && part.body == Array(whole.body[1000..<2000]))
        #expect(try await served.get("/tracks/\(id)/audio.mp3?quality=original").status == 422)
        let own = try await served.get("/tracks/\(try served.id("song.mp3"))/audio.mp3")
        #expect(own.status == 422 && own.errorCode == "no_low_quality")
    }

    @Test("ffmpeg decodes the playlist in step with the original", arguments: ["plain.wav", "ferry.aiff"])
    func decoded(name: String) async throws {
        let id = try served.id(name)
        let run = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-headers", served.authorization + "\r\n", "-i",
                "\(served.base)/tracks/\(id)/stream.m3u8", "-ac", "1", "-f", "s16le", "-",
            ])
        let heard = run.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        // A silent frame, the sound, and silence up to the end of the last frame.
        #expect(heard.count == (1 + (Self.sound.frameCount + 1151) / 1152) * 1152)
        func difference(_ shift: Int) -> Double {
            (0..<8000).reduce(0) { sum, place in
                let at = 300_000 + place
                let mean = (Double(Self.sound.samples[2 * at]) + Double(Self.sound.samples[2 * at + 1])) / 2
                let difference = Double(heard[1152 + at + shift]) - mean
                return sum + difference * difference
            }
        }
        #expect((-30...30).min { difference($0) < difference($1) } == 0)
    }

    @Test("OpenSubsonic reports the suffix and sends MP3 from any time, and the file from its beginning")
    func subsonic() async throws {
        let id = try served.id("ferry.aiff")
        let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "w")
        func ask(_ path: String) async throws -> ServedLibrary.Answer {
            try await served.get("/rest/\(path)&v=1.16.1&c=app&u=owner&p=\(password)", key: "")
        }
        let song = try await ask("getSong?id=tr-\(id)&f=json").text
        #expect(song.contains("\"suffix\":\"aiff\"") && song.contains("\"contentType\":\"audio/aiff\""))
        #expect(song.contains("Night Ferry") && song.contains("\"bitDepth\":16"))
        let start = try await ask("stream?id=tr-\(id)")
        #expect(start.field("Content-Type") == "audio/aiff")
        let later = try await ask("stream?id=tr-\(id)&timeOffset=9")
        #expect(later.field("Content-Type") == "audio/mpeg")
        let seconds = try MPEGAudioStream.scan(later.body.span.bytes).timeline.durationSeconds
        #expect(abs(seconds - 6) < 0.2)
    }

    @Test(
        "Segments that are requested at once, while the track is being encoded, equal those of the finished file"
    )
    func whileEncoding() async throws {
        let id = try served.id("plain.wav")
        let served = served
        let paths = (0..<3).map { "/tracks/\(id)/segments/\($0).mp3?quality=low" }
        let early = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for (number, path) in paths.enumerated() {
                group.addTask { (number, try await served.get(path).body) }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        for (number, path) in paths.enumerated() {
            let later = try await served.get(path)
            #expect(later.status == 200 && later.body == early[number])
            let rate = try MPEGAudioStream.scan(later.body.span.bytes).averageBitRate
            #expect(abs(rate - 64_000) < 700)
        }
    }

    @Test("In mixed lists they are sent as MP3; alone, too")
    func continuous() async throws {
        let ids = try ["plain.wav", "song.mp3"].map { try served.id($0) }
        let made = try await served.send("POST", "/api/playlists", ["name": "p", "track_ids": ids])
        let id = try #require(try made.json("id") as? Int)
        let lines = try await served.get("/playlists/\(id)/stream.m3u8").text
        #expect(lines.contains("/tracks/\(ids[0])/segments/0.mp3?") && !lines.contains("omitted"))
    }
}
