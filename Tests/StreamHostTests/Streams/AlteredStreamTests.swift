import Analyzer
import Companion
import Foundation
import LibraryStore
import MPEGAudio
import Testing
import TestSupport

/// Streams that are trimmed and normalised without transcoding, as decoded by ffmpeg.
@Suite("Altered streams", .timeLimit(.minutes(30)))
struct AlteredStreamTests {
    /// Audio between silences, in many kinds of streams; `quiet` and `loud` are one album.
    private static let library = Task { try await aside { try make() } }

    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    private static let kinds = [
        "cbr.mp3", "vbr.mp3", "crc.mp3", "mono.mp3", "mpeg2.mp3", "mpeg2.5.mp3", "low.mp3",
    ]
    private static let silence = (before: 2.5, after: 3.25)
    private static let soundSeconds = 16.0

    private static func make() throws -> ServedLibrary {
        let options = [
            "cbr.mp3": (44_100, 2, "-b 128"), "vbr.mp3": (48_000, 2, "-V 2"),
            "crc.mp3": (44_100, 2, "-b 160 -p"),
            "mono.mp3": (32_000, 1, "-V 5"), "mpeg2.mp3": (22_050, 2, "-b 64"),
            "mpeg2.5.mp3": (8000, 1, "-b 16"),
            "low.mp3": (44_100, 2, "-b 48"),
            "quiet.mp3": (44_100, 2, "-b 128 --tl Album --ta A --tn 1 --scale 0.25"),
            "loud.mp3": (44_100, 2, "-b 128 --tl Album --ta A --tn 2 --scale 1.2"),
            "stuck.mp3": (44_100, 2, "-b 128"),
        ]
        let files = try options.sorted { $0.key < $1.key }.enumerated().map { seed, entry in
            let (rate, channels, text) = entry.value
            let lead = Int(silence.before * Double(rate)) * channels
            let tail = Int(silence.after * Double(rate)) * channels
            let sound = PCM.music(
                frameCount: Int(soundSeconds) * rate, sampleRate: rate, channelCount: channels,
                seed: UInt64(seed + 1))
            let pcm = PCM(
                sampleRate: rate, channelCount: channels,
                samples: [Int16](repeating: 0, count: lead) + sound.samples
                    + [Int16](repeating: 0, count: tail))
            var bytes = try Encoders.lame(
                pcm, text.split(separator: " ").map(String.init) + ["--resample", "\(Double(rate) / 1000)"])
            if entry.key == "stuck.mp3" { try emptyOneGain(&bytes) }
            return (name: entry.key, bytes: bytes)
        }
        return try ServedLibrary(files)
    }

    /// Sets the gain of one frame in the middle of the audio to its minimum.
    private static func emptyOneGain(_ bytes: inout [UInt8]) throws {
        let index = try MPEGAudioStream.scan(bytes.span.bytes).index
        let offset = index[index.count / 2].offset
        var span = bytes.mutableSpan
        var memory = span.mutableBytes
        for steps in [-128, -64, -32, -16, -8, -4, -2, -1] {
            var trial = Array(memory.bytes.extracting(offset..<offset + 40).withUnsafeBytes { Array($0) })
            var trialSpan = trial.mutableSpan
            var trialMemory = trialSpan.mutableBytes
            let fits: Bool
            do { fits = try GainChange(steps: steps).apply(to: &trialMemory, frameAt: 0) == () } catch {
                fits = false
            }
            if fits { try GainChange(steps: steps).apply(to: &memory, frameAt: offset) }
        }
    }

    // MARK: - ffmpeg

    private func address(_ path: String) -> [String] {
        ["-headers", served.authorization + "\r\n", "-i", "\(served.base)\(path)"]
    }

    private func samples(_ input: [String]) async throws -> [Float] {
        let run = try await ProcessRun.aside(
            "ffmpeg", ["-nostdin", "-v", "error"] + input + ["-f", "f32le", "-"])
        return run.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// Returns integrated loudness in LUFS and true peak in dBTP.
    private func level(_ path: String) async throws -> (integrated: Double, truePeak: Double) {
        let run = try await ProcessRun.aside(
            "ffmpeg",
            ["-nostdin", "-v", "info"] + address(path) + ["-af", "ebur128=peak=true", "-f", "null", "-"])
        let summary = try #require(
            String(decoding: run.errors, as: UTF8.self).split(separator: "Summary:").last)
        let integrated = try #require(summary.firstMatch(of: /I:\s+(-?[\d.]+) LUFS/)?.1)
        let peak = try #require(summary.firstMatch(of: /Peak:\s+(-?[\d.]+) dBFS/)?.1)
        return (try #require(Double(integrated)), try #require(Double(peak)))
    }

    // MARK: - Trimming

    @Test(
        "A trimmed stream equals the original without its silence", arguments: kinds,
        ["silence", "cue"])
    func trimmed(name: String, trim: String) async throws {
        let id = try served.id(name)
        let stream = try #require(try served.library.track(id: id)?.analysis?.stream)
        let path = "/tracks/\(id)/stream.m3u8"
        let playlist = try await served.get("\(path)?trim=\(trim)").text
        let bounds = try #require(playlist.firstMatch(of: /frames=(\d+)-(\d+)/)?.output)
        let (first, end) = (try #require(Int(bounds.1)), try #require(Int(bounds.2)))
        let whole = try await samples(address(path))
        let cut = try await samples(address("\(path)?trim=\(trim)"))
        let perFrame = stream.samplesPerFrame * stream.channels
        #expect(cut.count == (end - first) * perFrame)
        // A decoder that starts mid-stream lacks data for a few frames, all of which are silent.
        let worst = (10 * perFrame..<cut.count).reduce(Float(0)) { worst, sample in
            max(worst, abs(cut[sample] - whole[first * perFrame + sample]))
        }
        #expect(worst <= 1e-6)
        // The audio is complete, with little else.
        let rate = Double(stream.sampleRateHz)
        let lead = Double(stream.headTrimSamples) / rate
        let frameSeconds = Double(stream.samplesPerFrame) / rate
        #expect(Double(first) * frameSeconds <= Self.silence.before + lead)
        #expect(Double(end) * frameSeconds >= Self.silence.before + lead + Self.soundSeconds - 0.5)
        #expect(Double(end - first) * frameSeconds < Self.soundSeconds + 1)
        let durations = playlist.matches(of: /#EXTINF:([\d.]+),/).compactMap { Double($0.output.1) }
        #expect(abs(durations.reduce(0, +) - Double(end - first) * frameSeconds) < 1e-5)
    }

    // MARK: - Loudness

    @Test("Normalisation changes the level by whole steps and nothing else", arguments: kinds)
    func scaled(name: String) async throws {
        let id = try served.id(name)
        let path = "/tracks/\(id)/stream.m3u8"
        let loudness = try #require(try served.library.track(id: id)?.analysis?.profile?.loudness)
        let integrated = try #require(loudness.integratedLUFS)
        let target = max(-40, (integrated - 7.1).rounded())
        let playlist = try await served.get("\(path)?normalize=\(target)").text
        let steps = try #require(playlist.firstMatch(of: /gain=(-?\d+)/).flatMap { Int($0.output.1) })
        let factor = Float(pow(2, Double(steps) / 4))
        let whole = try await samples(address(path))
        let altered = try await samples(address("\(path)?normalize=\(target)"))
        try #require(whole.count == altered.count)
        let worst = zip(whole, altered).reduce(Float(0)) { max($0, abs($1.0 * factor - $1.1)) }
        #expect(worst <= 2e-6)
        let measured = try await level("\(path)?normalize=\(target)")
        #expect(abs(measured.integrated - target) <= 0.8)
    }

    @Test("The true peak stays below the limit if there is one")
    func peakLimit() async throws {
        let id = try served.id("quiet.mp3")
        let path = "/tracks/\(id)/stream.m3u8"
        let free = try await level("\(path)?normalize=-8&peak_limit=off")
        #expect(abs(free.integrated - -8) <= 0.8 && free.truePeak > -1)
        for limit in [-1.0, -3.5] {
            let limited = try await level(
                "\(path)?normalize=-8" + (limit == -1 ? "" : "&peak_limit=\(limit)"))
            #expect(limited.truePeak <= limit + 0.05)
            // At most one step below the limit.
            #expect(limited.truePeak > limit - GlobalGain.decibelsPerStep - 0.1)
        }
    }

    @Test("With album loudness, the tracks of an album keep their level differences")
    func album() async throws {
        func steps(_ name: String, _ loudness: String) async throws -> Int {
            let path = "/tracks/\(try served.id(name))/stream.m3u8?normalize=-24&loudness=\(loudness)"
            return try await served.get(path).text.firstMatch(of: /gain=(-?\d+)/).flatMap { Int($0.output.1) }
                ?? 0
        }
        #expect(try await steps("quiet.mp3", "album") == steps("loud.mp3", "album"))
        // They differ by 13.6 dB, which are nine steps.
        #expect(try await abs(steps("quiet.mp3", "track") - steps("loud.mp3", "track") - 9) <= 1)
    }

    @Test("A fade reduces the last seconds by 60 dB and leaves the rest unchanged", arguments: kinds)
    func faded(name: String) async throws {
        let id = try served.id(name)
        let stream = try #require(try served.library.track(id: id)?.analysis?.stream)
        let path = "/tracks/\(id)/stream.m3u8?trim=silence"
        let playlist = try await served.get("\(path)&fade=4").text
        let count = try #require(playlist.firstMatch(of: /&fade=(\d+)/).flatMap { Int($0.output.1) })
        let frameSeconds = Double(stream.samplesPerFrame) / Double(stream.sampleRateHz)
        #expect(abs(Double(count) * frameSeconds - 4) <= frameSeconds / 2 + 1e-9)
        let plain = try await samples(address(path))
        let faded = try await samples(address("\(path)&fade=4"))
        #expect(plain.count == faded.count)
        let perFrame = stream.samplesPerFrame * stream.channels
        let start = plain.count - count * perFrame
        #expect(plain[..<start] == faded[..<start])
        // Per second: 15 dB each.
        let second = count * perFrame / 4
        for number in 0..<4 {
            let part = start + number * second..<start + (number + 1) * second
            var (sum, expected) = (0.0, 0.0)
            for sample in part {
                sum += Double(faded[sample]) * Double(faded[sample])
                let factor = pow(10, -60.2 / 20 * Double(sample - start) / Double(plain.count - start))
                expected += pow(Double(plain[sample]) * factor, 2)
            }
            #expect(abs(10 * log10(sum / expected)) < 1.5, "second \(number)")
        }
    }

    @Test("Options can be combined, and are passed from the master playlist to the segments")
    func combined() async throws {
        let id = try served.id("cbr.mp3")
        let query = "trim=silence&normalize=-30"
        let master = try await served.get("/tracks/\(id)/master.m3u8?\(query)").text
        #expect(
            master.contains("\nstream.m3u8?trim=silence&normalize=-30.0&loudness=track&peak_limit=-1.0\n"))
        #expect(master.contains("applied_gain_db") && master.contains("stream_start_seconds"))
        let heard = try await samples(address("/tracks/\(id)/master.m3u8?\(query)"))
        let direct = try await samples(address("/tracks/\(id)/stream.m3u8?\(query)"))
        #expect(heard == direct && !heard.isEmpty)

        let playlist = try await served.get("/tracks/\(id)/stream.m3u8?\(query)").text
        let uri = try #require(playlist.split(separator: "\n").first { !$0.hasPrefix("#") })
        let segment = try await served.get("/tracks/\(id)/\(uri)")
        let plain = try await served.get("/tracks/\(id)/segments/0.mp3")
        #expect(segment.status == 200 && segment.field("Cache-Control")?.contains("immutable") == true)
        let tag = try #require(segment.field("ETag"))
        #expect(tag != plain.field("ETag"))
        #expect(try await served.get("/tracks/\(id)/\(uri)", ["-H", "If-None-Match: \(tag)"]).status == 304)
        #expect(
            try await served.get("/tracks/\(id)/\(uri)", ["-r", "70-99"]).body
                == Array(segment.body[70..<100]))

        let index = try await served.get("/tracks/\(id)/segments.json?\(query)")
        let first = try #require((try index.json("segments") as? [[String: Any]])?.first)
        let frames = try #require(playlist.firstMatch(of: /frames=(\d+)-/)?.output.1)
        #expect(first["first_frame"] as? Int == Int(frames))
        #expect((first["start_seconds"] as? Double ?? 0) > 2)
        let steps = try #require(playlist.firstMatch(of: /gain=(-?\d+)/).flatMap { Double($0.output.1) })
        #expect(abs((try index.json("gain_db") as? Double ?? 0) - steps * 1.50515) < 0.001)
    }

    // MARK: - Errors

    @Test(
        "Errors name the invalid option",
        arguments: [
            "trim=all", "trim=", "normalize=loud", "normalize=0", "normalize=-18&peak_limit=3",
            "normalize=-18&loudness=disc", "normalize=nan", "normalize=inf",
        ])
    func badOptions(query: String) async throws {
        let answer = try await served.get("/tracks/\(try served.id("cbr.mp3"))/stream.m3u8?\(query)")
        #expect(answer.status == 422)
        #expect(query.contains(try #require(try answer.json("error", "field") as? String)))
    }

    @Test("Frames and gains that the track does not have are rejected")
    func badSegments() async throws {
        let path = "/tracks/\(try served.id("cbr.mp3"))/segments/0.mp3"
        for (query, status) in [
            ("frames=5", 422), ("frames=9-5", 404), ("frames=-3-5", 422), ("frames=0-99999", 404),
            ("gain=999", 422),
            ("gain=x", 422), ("start=-1", 422), ("start=8589934592", 422), ("frames=3-4", 200),
            ("start=8589934591", 200),
        ] {
            #expect(try await served.get("\(path)?\(query)").status == status, "\(query)")
        }
        let late = try await served.get("\(path)?start=90000").body
        #expect(late[65..<73].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == 90_000)
    }

    @Test("An inaudible frame does not prevent normalisation")
    func silentFrame() async throws {
        let id = try served.id("stuck.mp3")
        let measured = try await level("/tracks/\(id)/stream.m3u8?normalize=-35")
        #expect(abs(measured.integrated - -35) <= 0.8)
    }

    @Test("An unreachable gain is limited to the nearest possible one")
    func unreachable() async throws {
        let id = try served.id("cbr.mp3")
        let path = "/tracks/\(id)/segments/1.mp3"
        var farthest = 0
        let most = try await served.get("\(path)?gain=255").body
        for steps in stride(from: 120, through: 20, by: -1) where farthest == 0 {
            if try await served.get("\(path)?gain=\(steps)").body != most { farthest = steps + 1 }
        }
        #expect((21..<121).contains(farthest))
        #expect(try await served.get("\(path)?gain=\(farthest)").body == most)
    }

    @Test("Ranges of the original file can be trimmed but not normalised")
    func byteRanges() async throws {
        let path = "/tracks/\(try served.id("cbr.mp3"))/stream.m3u8?form=byteranges"
        #expect(try await served.get("\(path)&normalize=-40").status == 422)
        let whole = try await served.get(path).text
        let trimmed = try await served.get("\(path)&trim=silence").text
        #expect(trimmed.contains("#EXT-X-BYTERANGE") && trimmed.count < whole.count)
    }
}
