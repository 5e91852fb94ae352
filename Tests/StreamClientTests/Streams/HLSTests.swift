import ClientTestSupport
import Foundation
import StreamClient
import TestSupport
import Testing

@testable import StreamClient

/// HLS streams in simulated time.
@Suite("HLS", .timeLimit(.minutes(30)))
struct HLSTests {
    private static let type = "application/vnd.apple.mpegurl"

    /// The frames of half a minute without tags, in groups of 100.
    private static func parts(
        _ options: [String] = ["-b", "96", "--resample", "44.1"]
    ) throws -> (whole: [UInt8], ranges: [Range<Int>]) {
        let file = try Encoders.lame(PCM.music(frameCount: 30 * 44_100, seed: 9), ["-t"] + options)
        var ranges: [Range<Int>] = []
        var position = 0
        var start = 0
        var count = 0
        while let length = FrameLength.of(file, at: position) {
            position += length
            count += 1
            if count % 100 == 0 {
                ranges.append(start..<position)
                start = position
            }
        }
        return (Array(file[..<start]), ranges)
    }

    private static let length = "#EXTINF:\(100 * 1152 / 44_100.0),"
    private static let head = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:3\n"

    /// Plays a URL into a file.
    private static func sound(
        from seconds: Double = 0, _ serve: @escaping @Sendable (SimulatedServer) -> Void
    ) async throws -> [Float] {
        let directory = try TemporaryDirectory()
        let path = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: path) }) { scene in
            serve(scene.server)
            await scene.engine.play([scene.item("http://s/a.m3u8")], from: seconds)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
        }
        return try WAVSamples(path).samples
    }

    private static func truth(_ bytes: [UInt8]) throws -> [Float] { try decoded(bytes).samples }

    private static func decoded(_ bytes: [UInt8]) throws -> WAVSamples {
        let directory = try TemporaryDirectory()
        return try WAVSamples.mpg123(try directory.write(bytes, as: "in.mp3"))
    }

    @Test("FLAC in fragmented MP4, from any position, bit for bit", arguments: [0, 0.5, 7.77, 17.2])
    func fragments(seconds: Double) async throws {
        let directory = try TemporaryDirectory()
        let sound = IntegerSound.tones(frameCount: 48_000 * 18 + 77, sampleRate: 48_000, bitDepth: 24)
        let input = try directory.write(try sound.flac(), as: "a.flac")
        try ProcessRun.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", input, "-c", "copy", "-strict", "-2", "-f", "hls",
                "-hls_segment_type", "fmp4", "-hls_time", "4", "-hls_playlist_type", "vod",
                "-hls_segment_filename",
                directory.file("s%d.m4s"), "-hls_fmp4_init_filename", "init.mp4", directory.file("a.m3u8"),
            ])
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path).filter {
            $0.hasSuffix(".m4s") || $0 == "init.mp4"
        }
        #expect(names.count > 3)
        let files = try Dictionary(uniqueKeysWithValues: names.map { ($0, try directory.read($0)) })
        let playlist = String(decoding: try directory.read("a.m3u8"), as: UTF8.self)
        let made = try await Self.sound(from: seconds) { server in
            server.serve("http://s/a.m3u8", text: playlist, type: Self.type)
            for (name, bytes) in files { server.serve("http://s/\(name)", .init(bytes: bytes)) }
        }
        let first = Int((seconds * 48_000).rounded())
        let truth = (first..<sound.frameCount).flatMap { index in
            sound.channels.map { Float($0[index]) / Float(1 << 23) }
        }
        #expect(WAVSamples.firstDifference(made, truth) == nil)
    }

    @Test("An initialization segment of another codec is an error")
    func otherCodec() async throws {
        let directory = try TemporaryDirectory()
        try ProcessRun.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=5", "-c:a", "aac", "-f", "hls",
                "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod", "-hls_fmp4_init_filename",
                "init.mp4",
                directory.file("a.m3u8"),
            ])
        let initial = try directory.read("init.mp4")
        let playlist = String(decoding: try directory.read("a.m3u8"), as: UTF8.self)
        try await Scene.play { scene in
            scene.server.serve("http://s/a.m3u8", text: playlist, type: Self.type)
            scene.server.serve("http://s/init.mp4", .init(bytes: initial))
            await scene.engine.play([scene.item("http://s/a.m3u8")])
            #expect(await scene.waitForError(.unsupported, upTo: 60))
        }
    }

    @Test("Byte ranges of one file, with and without a start offset")
    func byteRanges() async throws {
        let (whole, ranges) = try Self.parts()
        var text = Self.head
        for (number, range) in ranges.enumerated() {
            let start = number % 2 == 0 ? "@\(range.lowerBound)" : ""
            text += "\(Self.length)\n#EXT-X-BYTERANGE:\(range.count)\(start)\nwhole.mp3\n"
        }
        let playlist = text + "#EXT-X-ENDLIST\n"
        let made = try await Self.sound { server in
            server.serve("http://s/a.m3u8", text: playlist, type: Self.type)
            server.serve("http://s/whole.mp3", .init(bytes: whole))
        }
        #expect(WAVSamples.firstDifference(made, try Self.truth(whole)) == nil)
    }

    @Test(
        "Seeking: the same samples as a complete decode has there", arguments: ProgressiveTests.kinds)
    func seeking(_ options: [String]) async throws {
        let (whole, ranges) = try Self.parts(options)
        let truth = try Self.decoded(whole)
        let frames = Double(FrameLength.count(whole) ?? 0)
        let length =
            Double(truth.samples.count / truth.channelCount) / Double(truth.sampleRate) / frames * 100
        let playlist =
            Self.head + ranges.indices.map { "#EXTINF:\(length),\n\($0).mp3\n" }.joined()
            + "#EXT-X-ENDLIST\n"
        for seconds in [0.71, 5.25, 20.93] {
            let made = try await Self.sound(from: seconds) { server in
                server.serve("http://s/a.m3u8", text: playlist, type: Self.type)
                for (number, range) in ranges.enumerated() {
                    server.serve("http://s/\(number).mp3", .init(bytes: Array(whole[range])))
                }
            }
            let first = Int((seconds * Double(truth.sampleRate)).rounded()) * truth.channelCount
            #expect(
                WAVSamples.firstDifference(made, truth.samples[first...]) == nil, "from \(seconds) s")
        }
    }

    @Test(
        "Another quality continues at the sample at which the previous one ended",
        arguments: [["-b", "48", "--resample", "44.1"], ["-b", "64", "-m", "m", "--resample", "44.1"]])
    func switching(_ options: [String]) async throws {
        let (high, highRanges) = try Self.parts(["-b", "128"])
        let (low, lowRanges) = try Self.parts(options)
        #expect(highRanges.count == lowRanges.count)
        let directory = try TemporaryDirectory()
        let path = directory.file("out.wav")
        try await Scene.play(sink: { _ in WAVFileSink(path: path) }) { scene in
            let master = """
                #EXTM3U
                #EXT-X-STREAM-INF:BANDWIDTH=140000
                high.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=56000
                low.m3u8
                """
            scene.server.serve("http://s/a.m3u8", text: master, type: Self.type)
            for (name, whole, ranges) in [("high", high, highRanges), ("low", low, lowRanges)] {
                let text = ranges.indices.map { "\(Self.length)\n\(name)-\($0).mp3\n" }.joined()
                scene.server.serve(
                    "http://s/\(name).m3u8", text: Self.head + text + "#EXT-X-ENDLIST\n", type: Self.type)
                for (number, range) in ranges.enumerated() {
                    scene.server.serve(
                        "http://s/\(name)-\(number).mp3", .init(bytes: Array(whole[range])))
                }
            }
            await scene.engine.play([scene.item("http://s/a.m3u8")])
            #expect(await scene.wait(upTo: 20) { $0.server.requests.count > 6 })
            await scene.engine.networkChanged(to: .cellular)
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 200))
        }
        let made = try WAVSamples(path).samples
        let before = try Self.truth(high)
        var after = try Self.decoded(low)
        if after.channelCount == 1 {
            after = WAVSamples(
                sampleRate: after.sampleRate, channelCount: 2, samples: after.samples.flatMap { [$0, $0] })
        }
        let switched = try #require(WAVSamples.firstDifference(made, before))
        // Several segments of the first, and at least as many of the second.
        #expect(switched > 2 * 100 * 1152 && switched < before.count - 2 * 100 * 1152)
        // The low quality differs clearly from the high one, so the first difference is at a segment boundary or slightly
        // after it.
        #expect(switched / 2 % (100 * 1152) < 16)
        #expect(WAVSamples.firstDifference(made[switched...], after.samples[switched...]) == nil)
    }

    @Test("AES-128 with default and explicit initialisation vectors, encrypted by openssl")
    func encrypted() async throws {
        let (whole, ranges) = try Self.parts()
        let directory = try TemporaryDirectory()
        let key = "000102030405060708090a0b0c0d0e0f"
        var text = Self.head + "#EXT-X-MEDIA-SEQUENCE:7\n"
        var segments: [[UInt8]] = []
        for (number, range) in ranges.enumerated() {
            let isOwn = number % 3 == 1
            let vector =
                isOwn
                ? "ffeeddccbbaa99887766554433221100"
                : String(repeating: "0", count: 30) + String(format: "%02x", number + 7)
            let plain = try directory.write(Array(whole[range]), as: "plain")
            try ProcessRun.run(
                "openssl",
                [
                    "enc", "-aes-128-cbc", "-K", key, "-iv", vector, "-in", plain, "-out",
                    directory.file("secret"),
                ])
            segments.append(try directory.read("secret"))
            text +=
                "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\(isOwn ? ",IV=0x\(vector.uppercased())" : "")\n"
                + "\(Self.length)\n\(number).mp3\n"
        }
        let playlist = text + "#EXT-X-ENDLIST\n"
        let secret = segments
        let made = try await Self.sound { server in
            server.serve("http://s/a.m3u8", text: playlist, type: Self.type)
            server.serve("http://s/key", .init(bytes: (0..<16).map { $0 }))
            for (number, bytes) in secret.enumerated() {
                server.serve("http://s/\(number).mp3", .init(bytes: bytes))
            }
        }
        #expect(WAVSamples.firstDifference(made, try Self.truth(whole)) == nil)
    }

    @Test("A discontinuity with another sample rate and channel count")
    func discontinuity() async throws {
        let first = try Encoders.lame(PCM.music(frameCount: 1152 * 80, seed: 1), ["-t", "-b", "128"])
        let second = try Encoders.lame(
            PCM.music(frameCount: 576 * 100, sampleRate: 22_050, channelCount: 1, seed: 2),
            ["-t", "-b", "32"])
        let playlist =
            Self.head + "#EXTINF:2.1,\n0.mp3\n#EXT-X-DISCONTINUITY\n#EXTINF:2.7,\n1.mp3\n#EXT-X-ENDLIST\n"
        let made = try await Self.sound { server in
            server.serve("http://s/a.m3u8", text: playlist, type: Self.type)
            server.serve("http://s/0.mp3", .init(bytes: first))
            server.serve("http://s/1.mp3", .init(bytes: second))
        }
        let truth = try Self.truth(first)
        #expect(Array(made.prefix(truth.count)) == truth)
        let rest = Double(made.count - truth.count) / 2 / 44_100
        let other = Double(try Self.truth(second).count) / 22_050
        #expect(abs(rest - other) < 0.01)
    }

    @Test("A live playlist is followed until its end tag")
    func live() async throws {
        let (whole, ranges) = try Self.parts()
        let seconds = 100 * 1152 / 44_100.0
        try await Scene.play { scene in
            for (number, range) in ranges.enumerated() {
                scene.server.serve("http://s/\(number).mp3", .init(bytes: Array(whole[range])))
            }
            @Sendable func publish(_ window: Range<Int>, isEnded: Bool) {
                let text =
                    Self.head + "#EXT-X-MEDIA-SEQUENCE:\(window.lowerBound)\n"
                    + window.map { "\(Self.length)\n\($0).mp3\n" }.joined()
                    + (isEnded ? "#EXT-X-ENDLIST\n" : "")
                scene.server.serve("http://s/a.m3u8", text: text, type: Self.type)
            }
            publish(0..<4, isEnded: false)
            await scene.engine.play([scene.item("http://s/a.m3u8")])
            #expect(await scene.wait(for: .playing, upTo: 20))
            #expect(await scene.engine.snapshot().facts.isLive)
            for end in 5...ranges.count {
                await scene.wait(seconds)
                publish(max(0, end - 4)..<end, isEnded: end == ranges.count)
            }
            #expect(await scene.wait(for: .stopped(.endOfFile), upTo: 60))
            // Playback started three target durations before the end of the playlist: with the first segment or the next.
            let asked = Set(scene.server.requests.map(\.address).filter { $0.hasSuffix(".mp3") })
            #expect(asked.count >= ranges.count - 1)
            #expect(!scene.states.contains(.buffering))
        }
    }

    @Test(
        "Invalid and unsupported playlists are errors",
        arguments: [
            ("nonsense", PlaybackError.Code.badPlaylist), ("#EXTM3U\na.mp3\n", .badPlaylist),
            ("#EXTM3U\n#EXTINF:-3,\na.mp3\n", .badPlaylist),
            ("#EXTM3U\n#EXTINF:3,\n#EXT-X-BYTERANGE:100\na.mp3\n", .badPlaylist),
            ("#EXTM3U\n#EXTINF:3,\n#EXT-X-BYTERANGE:x@y\na.mp3\n", .badPlaylist),
            ("#EXTM3U\n#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"9@0\"\n#EXTINF:3,\na.m4s\n", .unsupported),
            ("#EXTM3U\n#EXT-X-MAP:X=1\n#EXTINF:3,\na.m4s\n", .badPlaylist),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:3,\na\n", .unsupported),
            ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x12\n#EXTINF:3,\na\n", .badPlaylist),
            ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\na.m3u8\n", .unsupported),
        ])
    func bad(_ text: String, _ code: PlaybackError.Code) {
        do {
            _ = try HLSSource.playlist(text, from: "http://s/a.m3u8")
            Issue.record("was accepted as a playlist")
        } catch {
            #expect(error.code == code)
        }
    }
}
