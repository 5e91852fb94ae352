import Analyzer
import Companion
import Foundation
import LibraryStore
import Testing
import TestSupport

/// Playlists and segments as played by real decoders.
@Suite("HLS playback", .timeLimit(.minutes(30)))
struct HLSPlaybackTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private func floats(_ data: Data) -> [Float] {
        data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    private func ffmpeg(_ input: [String]) async throws -> [Float] {
        floats(
            try await ProcessRun.aside(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-rw_timeout", "30000000"] + input + ["-f", "f32le", "-"]
            ).output)
    }

    @Test("ffmpeg decodes the playlist to the same samples as the file", arguments: ServedStreams.kinds)
    func sameSamples(kind: ServedStreams.Kind) async throws {
        let id = try served.id(kind.name)
        let track = try #require(try served.library.track(id: id)?.analysis?.stream)
        for playlist in ["stream.m3u8", "master.m3u8"] {
            let streamed = try await ffmpeg(
                ["-headers", served.authorization + "\r\n", "-i", "\(served.base)/tracks/\(id)/\(playlist)"])
            #expect(streamed.count == track.decodedSampleCount * kind.channels)
            // An HLS client cannot trim: it first plays the encoder's and the decoder's delay.
            let lead = (track.encoderDelaySamples > 0 ? track.encoderDelaySamples + 529 : 0) * kind.channels
            let original = try await ffmpeg(["-i", served.file(kind.name)])
            #expect(abs(original.count - track.sampleCount * kind.channels) <= 1152 * kind.channels)
            let common = min(original.count, streamed.count - lead)
            try #require(common > 19 * kind.rate * kind.channels)
            let worst = (0..<common).reduce(Float(0)) { max($0, abs(original[$1] - streamed[lead + $1])) }
            #expect(worst <= 1e-6, "\(playlist): off by \(worst)")
        }
    }

    @Test(
        "Each segment starts with its timestamp, and together they contain the file's frames",
        arguments: ServedStreams.kinds)
    func segments(kind: ServedStreams.Kind) async throws {
        let id = try served.id(kind.name)
        let playlist = try await served.get("/tracks/\(id)/stream.m3u8")
        #expect(playlist.field("Content-Type") == "application/vnd.apple.mpegurl")
        let uris = playlist.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        try #require(uris.count >= 3)
        var frames: [UInt8] = []
        for (number, uri) in uris.enumerated() {
            let segment = try await served.get("/tracks/\(id)/\(uri)")
            #expect(segment.status == 200 && segment.field("Content-Type") == "audio/mpeg")
            #expect(segment.field("Cache-Control")?.contains("immutable") == true)
            #expect(Array(segment.body.prefix(3)) == Array("ID3".utf8))
            let timestamp = segment.body[65..<73].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let start =
                try await served.get("/tracks/\(id)/segments.json").json("segments") as? [[String: Any]]
            let sample = try #require(start?[number]["start_sample"] as? Int)
            #expect(timestamp == UInt64((Double(sample) * 90_000 / Double(kind.rate)).rounded()))
            frames += segment.body.dropFirst(73)
        }
        // The frames are contiguous in the file, and end before any trailing tag.
        let file = [UInt8](try Data(contentsOf: URL(filePath: served.file(kind.name))))
        let first = try #require(
            (try await served.get("/tracks/\(id)/segments.json").json("segments") as? [[String: Any]])?[0][
                "byte_offset"] as? Int)
        #expect(Array(file[first..<first + frames.count]) == frames)
        #expect(file.count - first - frames.count <= 128)
    }

    @Test("Junk between frames is omitted")
    func junkIsLeftOut() async throws {
        let id = try served.id("holed.mp3")
        let stream = try #require(try served.library.track(id: id)?.analysis?.stream)
        let streamed = try await ffmpeg(
            ["-headers", served.authorization + "\r\n", "-i", "\(served.base)/tracks/\(id)/stream.m3u8"])
        #expect(streamed.count == stream.decodedSampleCount * 2)
        #expect(try await served.get("/tracks/\(id)/stream.m3u8?form=byteranges").status == 422)
    }

    @Test("The byte range form refers to ranges of the original file")
    func byteRangeForm() async throws {
        let id = try served.id("cbr.mp3")
        let playlist = try await served.get("/tracks/\(id)/stream.m3u8?form=byteranges").text
        #expect(playlist.contains("#EXT-X-VERSION:4"))
        let streamed = try await ffmpeg(
            [
                "-headers", served.authorization + "\r\n", "-i",
                "\(served.base)/tracks/\(id)/stream.m3u8?form=byteranges",
            ])
        let decoded = try #require(try served.library.track(id: id)?.analysis?.stream.decodedSampleCount)
        // ffmpeg only reads ID3 timestamps of packed audio: without one it may lose the first frame, but not
        // more.
        #expect((decoded - 1152) * 2...decoded * 2 ~= streamed.count, "\(streamed.count / 2) of \(decoded)")
        let file = [UInt8](try Data(contentsOf: URL(filePath: served.file("cbr.mp3"))))
        let index = try #require(
            try await served.get("/tracks/\(id)/segments.json").json("segments") as? [[String: Any]])
        let ranges = playlist.matches(of: /#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/)
        try #require(ranges.count == index.count)
        for (match, segment) in zip(ranges, index) {
            let offset = try #require(Int(match.output.2))
            let length = try #require(Int(match.output.1))
            #expect(offset == segment["byte_offset"] as? Int && length == segment["byte_length"] as? Int)
            let part = try await served.get(
                "/tracks/\(id)/\(match.output.3)", ["-r", "\(offset)-\(offset + length - 1)"])
            #expect(part.body == Array(file[offset..<offset + length]))
        }
    }

    @Test(
        "With the pre-roll, a segment decodes as it does within the whole file",
        arguments: ["cbr.mp3", "low.mp3", "vbr.mp3", "mpeg2.mp3", "mpeg2.5.mp3"])
    func preroll(name: String) async throws {
        let id = try served.id(name)
        let index = try await served.get("/tracks/\(id)/segments.json")
        let segments = try #require(try index.json("segments") as? [[String: Any]])
        let channels = try #require(try index.json("channels") as? Int)
        let perFrame = try #require(try index.json("samples_per_frame") as? Int)
        let file = [UInt8](try Data(contentsOf: URL(filePath: served.file(name))))
        func decode(_ bytes: ArraySlice<UInt8>) async throws -> [Float] {
            let directory = try TemporaryDirectory()
            let path = try directory.write(bytes, as: "cut.mp3")
            return floats(
                try await ProcessRun.aside(
                    "mpg123", ["-q", "--no-gapless", "--no-infoframe", "-e", "f32", "-s", path]
                ).output)
        }
        let first = try #require(segments[0]["byte_offset"] as? Int)
        let whole = try await decode(file[first...])
        for segment in segments.dropFirst() {
            let offset = try #require(segment["preroll_byte_offset"] as? Int)
            let end =
                try #require(segment["byte_offset"] as? Int) + (try #require(segment["byte_length"] as? Int))
            let drop = try #require(segment["preroll_frames"] as? Int) * perFrame * channels
            let start = try #require(segment["start_sample"] as? Int) * channels
            let count = try #require(segment["sample_count"] as? Int) * channels
            let cut = try await decode(file[offset..<end])
            try #require(cut.count >= drop + count && whole.count >= start + count)
            let worst = (0..<count).reduce(Float(0)) { max($0, abs(cut[drop + $1] - whole[start + $1])) }
            #expect(worst <= 2e-7, "segment \(segment["index"] ?? "?") is off by \(worst)")
        }
    }

    @Test("A free-format file is rejected with a pointer to the whole file")
    func freeFormat() async throws {
        let id = try served.id("free.mp3")
        let answer = try await served.get("/tracks/\(id)/stream.m3u8")
        #expect(answer.status == 422)
        #expect(try answer.json("error", "code") as? String == "cannot_segment")
        #expect(answer.text.contains("/api/files/\(id)/stream"))
        #expect(
            try await served.get("/api/files/\(id)/stream").body
                == [UInt8](Data(contentsOf: URL(filePath: served.file("free.mp3")))))
    }

    @Test("Segments support range, HEAD and conditional requests")
    func conditional() async throws {
        let path = "/tracks/\(try served.id("vbr.mp3"))/segments/1.mp3"
        let whole = try await served.get(path)
        let tag = try #require(whole.field("ETag"))
        #expect(!tag.hasPrefix("W/"))
        #expect(try await served.get(path, ["-H", "If-None-Match: \(tag)"]).status == 304)
        let part = try await served.get(path, ["-r", "50-99"])
        #expect(part.status == 206 && part.body == Array(whole.body[50..<100]))
        #expect(try await served.get(path, ["-I"]).field("Content-Length") == "\(whole.body.count)")
        #expect(try await served.get("/tracks/\(try served.id("vbr.mp3"))/segments/99.mp3").status == 404)
        #expect(try await served.get("/tracks/\(try served.id("vbr.mp3"))/segments/-1.mp3").status == 404)
    }

    @Test("The original file supports ranges")
    func fileRanges() async throws {
        let id = try served.id("tagged.mp3")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: served.file("tagged.mp3"))))
        let path = "/api/files/\(id)/stream"
        #expect(try await served.get(path).body == bytes)
        for (range, expected) in [
            ("0-0", 0..<1), ("1000-", 1000..<bytes.count), ("-128", bytes.count - 128..<bytes.count),
        ] {
            let part = try await served.get(path, ["-r", range])
            #expect(part.status == 206 && part.body == Array(bytes[expected]))
            #expect(
                part.field("Content-Range")
                    == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(bytes.count)")
        }
        #expect(try await served.get(path, ["-r", "\(bytes.count)-"]).status == 416)
    }

    @Test("The master playlist contains the track's properties")
    func master() async throws {
        let id = try served.id("cbr.mp3")
        let text = try await served.get("/tracks/\(id)/master.m3u8").text
        for fact in [
            "integrated_lufs", "true_peak_dbtp", "cue_in_seconds", "encoder_delay_samples",
            "encoder_padding_samples",
        ] {
            #expect(text.contains("#EXT-X-SESSION-DATA:DATA-ID=\"org.audiocompanion.\(fact)\",VALUE=\""))
        }
        #expect(text.contains("CODECS=\"mp4a.40.34\""))
        let bandwidth = try #require(text.firstMatch(of: /:BANDWIDTH=(\d+)/)?.1)
        // 128 kbit/s, plus 73 bytes per 6 s.
        #expect(abs((Double(bandwidth) ?? 0) - 128_100) < 1500)
    }
}
