import Analyzer
import Foundation
import MusicShared
import TestSupport
import Testing

/// Plans for generated tracks, from the file to the response.
@Suite("Crossfade over HTTP", .timeLimit(.minutes(30)))
struct CrossfadeRouteTests {
    private static func straightFade(_ seconds: Double) -> Double {
        seconds < 20 ? 1 : max(0, 1 - (seconds - 20) / 10)
    }

    private static let library = Result {
        let silence = PCM(sampleRate: 44_100, channelCount: 1, samples: [Int16](repeating: 0, count: 88_200))
        // One piece split in two, as on an album.
        let piece = GeneratedTracks.noise(60, seed: 9)
        let halves = [piece.samples[..<(30 * 44_100)], piece.samples[(30 * 44_100)...]].map {
            PCM(sampleRate: 44_100, channelCount: 1, samples: Array($0))
        }
        return try ServedLibrary([
            ("fade.mp3", try GeneratedTracks.mp3(GeneratedTracks.noise(30, seed: 1, gain: straightFade))),
            (
                "decibels.mp3",
                try GeneratedTracks.mp3(
                    GeneratedTracks.noise(30, seed: 2) { $0 < 20 ? 1 : pow(10, -3 * ($0 - 20) / 10) })
            ),
            ("steady.mp3", try GeneratedTracks.mp3(GeneratedTracks.noise(30, seed: 3))),
            (
                "120.mp3",
                try GeneratedTracks.mp3(
                    GeneratedTracks.beats(40, bpm: 120, first: 0.2) { min(1, max(0, (40 - $0) / 10)) })
            ),
            ("123.mp3", try GeneratedTracks.mp3(GeneratedTracks.beats(40, bpm: 123, first: 0.33))),
            (
                "strokes.mp3",
                try GeneratedTracks.mp3(
                    GeneratedTracks.strokes(40, hertz: 330) { min(1, max(0, (40 - $0) / 12)) })
            ),
            ("other strokes.mp3", try GeneratedTracks.mp3(GeneratedTracks.strokes(40, hertz: 440))),
            ("silence.mp3", try GeneratedTracks.mp3(silence)),
            ("second.mp3", try GeneratedTracks.mp3(silence)),
            (
                "one.mp3",
                try GeneratedTracks.mp3(halves[0], ["--tl", "Album", "--ta", "Band", "--tn", "1/2"])
            ),
            (
                "two.mp3",
                try GeneratedTracks.mp3(halves[1], ["--tl", "Album", "--ta", "Band", "--tn", "2/2"])
            ),
        ])
    }

    private let served: ServedLibrary

    init() throws { served = try Self.library.get() }

    private func plan(_ from: String, _ to: String, _ options: String = "") async throws -> CrossfadePlan {
        let answer = try await served.get(
            "/crossfade?from=\(try served.id(from))&to=\(try served.id(to))\(options)")
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(CrossfadePlan.self, from: Data(answer.body))
    }

    /// Returns the loudness of a fading track relative to its main part, by the gate of BS.1770: the mean
    /// power within 10 LU of the mean, integrated over the fade.
    private func loudnessOfFade(_ power: (Double) -> Double) -> Double {
        let powers = stride(from: 0.0, to: 30, by: 0.001).map { $0 < 20 ? 1 : power(($0 - 20) / 10) }
        let gate = powers.reduce(0, +) / Double(powers.count) / 10
        let loud = powers.filter { $0 > gate }
        return 10 * log10(loud.reduce(0, +) / Double(loud.count))
    }

    @Test("The mode is a parameter, and the plan gives its reason")
    func modes() async throws {
        let mix = try await plan("120.mp3", "123.mp3", "&mode=mix&max_beats=8")
        #expect(try #require(mix.reason).contains("eat-matched mix"))
        #expect((mix.mix?.beats ?? 0) <= 8 && mix.transition != .gapless)
        let unmixable = try await plan("fade.mp3", "steady.mp3", "&mode=mix&only_when_it_fits=true")
        #expect(unmixable.mix == nil && unmixable.transition == .overlap)
        #expect(try #require(unmixable.reason).hasPrefix("No beat-matched mix"))
        let whole = try await plan("120.mp3", "123.mp3", "&mode=off")
        #expect(whole.transition == .gapless && whole.cueInSeconds == 0)
        let answer = try await served.get("/crossfade?from=1&to=2&mode=random")
        #expect(answer.status == 422)
    }

    @Test("After a fade linear in amplitude, the next track starts where it has dropped by 8 LU")
    func amplitudeFade() async throws {
        let plan = try await plan("fade.mp3", "steady.mp3", "&max_seconds=30")
        let loudness = loudnessOfFade { ($0 - 1) * ($0 - 1) }
        let expected = 20 + 10 * (1 - pow(10, (loudness - 8) / 20))
        // 0.1 s for the curve's steps, and as much for interpolation between two points of the ramp.
        #expect(abs(plan.startSeconds - (plan.tempo?.shiftSeconds ?? 0) - expected) < 0.2, "\(expected)")
        #expect(plan.transition == .overlap && plan.outgoing.fade?.curve == CrossfadePlan.Fade.Curve.none)
        #expect(abs(plan.endSeconds - 30) < 0.3)
    }

    @Test("After a fade linear in dB, the next track starts where it has dropped by 8 LU")
    func decibelFade() async throws {
        let plan = try await plan("decibels.mp3", "steady.mp3", "&max_seconds=30")
        let expected = 20 + (8 - loudnessOfFade { pow(10, -6 * $0) }) / 6
        #expect(abs(plan.startSeconds - (plan.tempo?.shiftSeconds ?? 0) - expected) < 0.2, "\(expected)")
        let short = try await self.plan("decibels.mp3", "steady.mp3", "&max_seconds=2")
        #expect(abs(short.startSeconds - (short.endSeconds - short.overlapSeconds)) < 1e-9)
        #expect(short.overlapSeconds <= 2)
    }

    @Test("After a cold ending, the next track starts at once")
    func coldEnding() async throws {
        let plan = try await plan("steady.mp3", "fade.mp3")
        #expect(plan.transition == .cut && plan.outgoing.fade == nil)
        #expect(abs(plan.startSeconds - 30) <= 0.06)
    }

    @Test("Beats at 120 BPM are aligned with beats at 123 BPM")
    func beats() async throws {
        let plan = try await plan("120.mp3", "123.mp3")
        let tempo = try #require(plan.tempo)
        #expect(tempo.canAlign && tempo.multiple == 1)
        #expect(abs(tempo.ratio - 120.0 / 123) < 0.005)
        // Time of the incoming track's true drum hit, and its distance from the outgoing track's.
        let found = try #require(tempo.incomingBeatSeconds)
        let drum = 0.33 + ((found - 0.33) / (60.0 / 123)).rounded() * 60 / 123
        let struck = plan.startSeconds + drum - plan.cueInSeconds
        #expect(abs((struck - 0.2).remainder(dividingBy: 0.5)) < 0.015)
    }

    @Test("Two halves of one piece on an album are joined gaplessly")
    func album() async throws {
        let plan = try await plan("one.mp3", "two.mp3")
        #expect(plan.transition == .gapless && plan.startSeconds == 30 && plan.cueInSeconds == 0)
        #expect(plan.overlapSeconds == 0 && plan.outgoing.fade == nil)
        let gain = try #require(plan.outgoing.albumGainDB)
        #expect(gain == plan.incoming.albumGainDB && abs(gain - plan.outgoing.gainDB) < 0.2)
        #expect(try await self.plan("two.mp3", "one.mp3").transition != .gapless)
    }

    @Test("Silent and short tracks do not overlap; a track can follow itself")
    func corners() async throws {
        #expect(try await plan("silence.mp3", "steady.mp3").transition == .cut)
        #expect(try await plan("steady.mp3", "second.mp3").transition == .cut)
        let again = try await plan("fade.mp3", "fade.mp3")
        #expect(again.transition == .overlap && again.fromID == again.toID)
    }

    @Test("The planned mix of two tracks with high peaks does not clip", arguments: [-18.0, -10, -5])
    func mixDoesNotClip(target: Double) async throws {
        let plan = try await plan("strokes.mp3", "other strokes.mp3", "&target_lufs=\(target)")
        #expect(plan.overlapSeconds > 2)
        let outgoing = try await decoded("strokes.mp3")
        let incoming = try await decoded("other strokes.mp3")
        let rate = Double(GeneratedTracks.rate)
        let start = Int((plan.startSeconds * rate).rounded())
        let entry = Int((plan.cueInSeconds * rate).rounded())
        let out = try #require(plan.outgoing.fade)
        let into = try #require(plan.incoming.fade)
        var mix = (0..<Int(plan.endSeconds * rate)).map {
            Double(outgoing[$0]) * pow(10, plan.outgoing.gainDB / 20) * out.gain(atSeconds: Double($0) / rate)
        }
        mix += [Double](repeating: 0, count: start + incoming.count - entry - mix.count)
        for index in entry..<incoming.count {
            mix[start + index - entry] +=
                Double(incoming[index]) * pow(10, plan.incoming.gainDB / 20)
                * into.gain(atSeconds: Double(index) / rate)
        }
        let overlap = mix[start..<start + Int(plan.overlapSeconds * rate)]
        let peak = try await truePeak(Array(overlap))
        // The two decoders involved differ by less than this.
        #expect(peak <= 0.1)
        #expect(peak <= (plan.overlapPeakDBTP ?? 0) + 0.1)
        if target == -5 { #expect(into.curve == .linear, "the peaks leave no headroom at this loudness") }
    }

    private func decoded(_ name: String) async throws -> [Float] {
        let data = try await ProcessRun.aside(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", served.file(name), "-ac", "1", "-f", "f32le", "-"]
        ).output
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// Returns the true peak measured by ffmpeg, in dBTP.
    private func truePeak(_ samples: [Double]) async throws -> Double {
        let directory = try TemporaryDirectory()
        let bytes = samples.flatMap { sample in
            withUnsafeBytes(of: Float(sample).bitPattern.littleEndian) { Array($0) }
        }
        let path = try directory.write(bytes, as: "mix.f32")
        let run = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-f", "f32le", "-ar", "44100", "-ac", "1", "-i", path, "-af",
                "ebur128=peak=true", "-f", "null", "-",
            ])
        let report = String(decoding: run.errors, as: UTF8.self)
        let peak = try #require(report.split(separator: "Peak:").last?.split(separator: " ").first)
        return try #require(Double(peak))
    }

    @Test(
        "Errors name missing and invalid parameters",
        arguments: [
            ("", "from"), ("?to=1", "from"), ("?from=1", "to"), ("?from=x&to=1", "from"),
            ("?from=1&to=", "to"),
            ("?from=1&to=2&target_lufs=loud", "target_lufs"), ("?from=1&to=2&target_lufs=3", "target_lufs"),
            ("?from=1&to=2&target_lufs=nan", "target_lufs"), ("?from=1&to=2&max_seconds=-1", "max_seconds"),
            ("?from=1&to=2&max_seconds=1e9", "max_seconds"),
        ])
    func badParameters(query: String, field: String) async throws {
        let answer = try await served.get("/crossfade\(query)")
        #expect(answer.status == (query.contains("\(field)=") ? 422 : 400))
        #expect(try answer.json("error", "field") as? String == field)
    }

    @Test("POST /mix sorts tracks by their measurements, with the first one fixed")
    func mixOrder() async throws {
        let names = ["steady.mp3", "120.mp3", "fade.mp3", "123.mp3"]
        let ids = try names.map { try served.id($0) }
        let answer = try await served.get(
            "/mix", Self.posted("{\"track_ids\": \(ids), \"energy\": \"rising\", \"keep_first\": true}"))
        #expect(answer.status == 200, "\(answer.text)")
        let order = try JSONDecoder().decode(MixOrder.self, from: Data(answer.body))
        #expect(order.trackIDs.first == ids[0] && order.trackIDs.sorted() == ids.sorted())
        #expect(order.steps.count == 3)
        // The two tracks with beats, of nearly the same tempo, follow each other.
        let step = order.steps.first { Set([$0.fromID, $0.toID]) == Set([ids[1], ids[3]]) }
        #expect(try #require(step).reason.contains(/the tempo (rises|falls) by 2\.[3-6] %/))
    }

    private static func posted(_ json: String) -> [String] {
        ["-X", "POST", "-H", "Content-Type: application/json", "-d", json]
    }

    @Test(
        "POST /mix rejects unknown tracks, unknown fields and long lists",
        arguments: [
            ("{\"track_ids\": [9999]}", "no_such_track"),
            ("{\"track_ids\": [], \"tempo\": 1}", "unknown_field"),
            ("{}", "missing_field"), ("{\"track_ids\": [], \"energy\": \"high\"}", "invalid_field"),
            ("{\"track_ids\": \([Int](repeating: 1, count: 2001))}", "too_many_items"),
        ])
    func badMixOrders(json: String, code: String) async throws {
        let answer = try await served.get("/mix", Self.posted(json))
        #expect(try answer.json("error", "code") as? String == code)
        #expect(answer.status >= 400 && answer.status < 500)
        #expect(try await served.get("/mix", Self.posted("{\"track_ids\": []}")).status == 200)
    }

    @Test("A missing track is 404", arguments: ["from", "to"])
    func noTrack(field: String) async throws {
        let other = field == "from" ? "to" : "from"
        let answer = try await served.get("/crossfade?\(field)=9999&\(other)=1")
        #expect(answer.status == 404)
        #expect(try answer.json("error", "field") as? String == field)
    }

    @Test("A track that has not been analysed is 409")
    func notAnalysed() async throws {
        try await ServedLibrary.with(
            [("one.mp3", try GeneratedTracks.mp3(GeneratedTracks.noise(3, seed: 1)))], parts: .frames
        ) {
            served in
            let answer = try await served.get("/crossfade?from=1&to=1")
            #expect(answer.status == 409)
            #expect(try answer.json("error", "code") as? String == "not_analysed")
        }
    }
}
