import ClientTestSupport
import Foundation
import MusicShared
import StreamClient
import TestSupport
import Testing

/// Transitions between tracks, measured in the output.
@Suite("Transitions", .timeLimit(.minutes(30)))
struct TransitionTests {
    private static let rate = 44_100.0
    private static let level = 0.25

    /// Creates a local file with a tone at a quarter of full scale.
    private static func tone(
        _ hertz: Double, _ seconds: Double, in directory: TemporaryDirectory, silence: Double = 0
    ) throws -> PlayableItem {
        let samples = (0..<Int(seconds * rate)).map { place -> Int16 in
            let t = Double(place) / rate
            guard t >= silence, t < seconds - silence else { return 0 }
            return Int16((level * 32_767 * sin(2 * .pi * hertz * t)).rounded())
        }
        let pcm = PCM(sampleRate: 44_100, channelCount: 1, samples: samples)
        let path = try directory.write(
            try Encoders.lame(pcm, ["-b", "320", "-m", "m"]), as: "\(Int(hertz))-\(seconds).mp3")
        var item = PlayableItem(file: path)
        item.durationSeconds = seconds
        item.facts = CrossfadeTrack(id: Int(hertz), durationSeconds: seconds)
        return item
    }

    /// Returns the amplitude of a tone around a position, from its Fourier coefficient over 50 ms: tones with whole periods
    /// in that time do not interfere.
    private static func amplitude(_ hertz: Double, _ samples: [Float], at seconds: Double) -> Double {
        let length = 2205
        let start = Int(seconds * rate) - length / 2
        guard start >= 0, start + length <= samples.count else { return 0 }
        var (real, imaginary) = (0.0, 0.0)
        for i in 0..<length {
            let phase = 2 * .pi * hertz * Double(i) / rate
            real += Double(samples[start + i]) * cos(phase)
            imaginary += Double(samples[start + i]) * sin(phase)
        }
        return 2 * hypot(real, imaginary) / Double(length)
    }

    private struct FixedPlan: TransitionPlanner {
        let plan: CrossfadePlan
        func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? { plan }
    }

    private static func render(
        _ items: [PlayableItem], planner: any TransitionPlanner = FactsPlanner(),
        _ configure: (inout PlaybackConfiguration) -> Void
    ) async throws -> [Float] {
        let directory = try TemporaryDirectory()
        var configuration = PlaybackConfiguration()
        configure(&configuration)
        let engine = PlaybackEngine(
            sink: WAVFileSink(path: directory.file("out.wav")), transport: NoTransport(),
            configuration: configuration, planner: planner)
        let events = engine.events()
        await engine.play(items)
        for await event in events {
            if case .stateChanged(.stopped(let reason)) = event {
                #expect(reason == .endOfFile)
                break
            }
        }
        await engine.shutDown()
        return try WAVSamples(directory.file("out.wav")).samples
    }

    @Test("A crossfade has equal power throughout and the requested length", arguments: [2.0, 6])
    func equalPower(_ seconds: Double) async throws {
        let directory = try TemporaryDirectory()
        let items = try [Self.tone(440, 15, in: directory), Self.tone(1000, 15, in: directory)]
        let made = try await Self.render(items) { $0.transition = .crossfade(seconds: seconds) }
        #expect(abs(Double(made.count) / Self.rate - (30 - seconds)) < 0.001)
        let start = 15 - seconds
        for step in 0...20 {
            let share = Double(step) / 20
            let moment = start + 0.03 + share * (seconds - 0.06)
            let part = (moment - start) / seconds
            let a = Self.amplitude(440, made, at: moment) / Self.level
            let b = Self.amplitude(1000, made, at: moment) / Self.level
            #expect(abs(a - cos(part * .pi / 2)) < 0.02)
            #expect(abs(b - sin(part * .pi / 2)) < 0.02)
            #expect(abs(a * a + b * b - 1) < 0.04)
        }
    }

    @Test("The level follows the plan: start, length, position and curve")
    func planned() async throws {
        let directory = try TemporaryDirectory()
        let items = try [Self.tone(440, 20, in: directory), Self.tone(1000, 20, in: directory)]
        let json = """
            {"from_id": 440, "to_id": 1000, "transition": "overlap", "start_seconds": 12, "end_seconds": 18,
             "cue_in_seconds": 3, "overlap_seconds": 6, "target_lufs": -18,
             "outgoing": {"gain_db": 0, "fade": {"curve": "equal_power", "start_seconds": 12, "duration_seconds": 6,
                "start_gain": 1, "end_gain": 0.2}},
             "incoming": {"gain_db": 0, "fade": {"curve": "linear", "start_seconds": 3, "duration_seconds": 6,
                "start_gain": 0.4, "end_gain": 1}}}
            """
        let plan = try JSONDecoder().decode(CrossfadePlan.self, from: Data(json.utf8))
        let made = try await Self.render(items, planner: FixedPlan(plan: plan)) { $0.transition = .planned }
        // 18 s of the first, and the second from its third second on, starting at 12 s.
        #expect(abs(Double(made.count) / Self.rate - (12 + 17)) < 0.001)
        func levels(_ moment: Double) -> (a: Double, b: Double) {
            (
                Self.amplitude(440, made, at: moment) / Self.level,
                Self.amplitude(1000, made, at: moment) / Self.level
            )
        }
        let before = levels(11.9)
        #expect(abs(before.a - 1) < 0.02 && before.b < 0.01)
        for step in 1..<20 {
            let share = Double(step) / 20
            let now = levels(12 + 6 * share)
            #expect(abs(now.a - (0.2 + 0.8 * cos(share * .pi / 2))) < 0.02)
            #expect(abs(now.b - (0.4 + 0.6 * share)) < 0.02)
        }
        let after = levels(18.1)
        #expect(after.a < 0.01 && abs(after.b - 1) < 0.02)
    }

    @Test("A plan without a crossfade skips silence at both ends")
    func silence() async throws {
        let directory = try TemporaryDirectory()
        var items = try [
            Self.tone(440, 10, in: directory, silence: 2), Self.tone(1000, 10, in: directory, silence: 2),
        ]
        for place in items.indices {
            items[place].facts?.cueInSeconds = 2
            items[place].facts?.cueOutSeconds = 8
        }
        for transition in [PlaybackConfiguration.Transition.planned, .gapless] {
            let made = try await Self.render(items) {
                $0.transition = transition
                $0.skipsSilence = true
            }
            // A plan plays the last track to its end; skipping silence does not.
            #expect(abs(Double(made.count) / Self.rate - 12) < 0.01)
            let middle = (0.1, 5.9, 6.1, 11.9)
            #expect(abs(Self.amplitude(440, made, at: middle.0) / Self.level - 1) < 0.03)
            #expect(abs(Self.amplitude(440, made, at: middle.1) / Self.level - 1) < 0.03)
            #expect(abs(Self.amplitude(1000, made, at: middle.2) / Self.level - 1) < 0.03)
            #expect(abs(Self.amplitude(1000, made, at: middle.3) / Self.level - 1) < 0.03)
        }
    }

    @Test(
        "Levels reach the target as far as the peak allows",
        arguments: [(-20.0, -6.0, -18.0, 2.0), (-10, -1, -18, -8), (-24, -3, -18, 2), (-23, -1, -14, 0)])
    func normalization(_ lufs: Double, _ peak: Double, _ target: Double, _ gain: Double) async throws {
        let directory = try TemporaryDirectory()
        var item = try Self.tone(440, 3, in: directory)
        item.facts?.loudness = .init(integratedLUFS: lufs, truePeakDBTP: peak)
        let made = try await Self.render([item]) { $0.normalization = .track(targetLUFS: target) }
        let level = 20 * log10(Self.amplitude(440, made, at: 1.5) / Self.level)
        #expect(abs(level - gain) < 0.1)
    }

    /// Two movements of an album, one 2.9 LU louder than the other, and a single.
    private static func movements(in directory: TemporaryDirectory) throws -> [PlayableItem] {
        var items = try [440.0, 1000, 1400].map { try tone($0, 4, in: directory) }
        for (place, lufs) in [-12.0, -9.1, -20].enumerated() {
            items[place].facts?.loudness = .init(integratedLUFS: lufs, truePeakDBTP: -8)
            guard place < 2 else { continue }
            items[place].facts?.albumLoudness = .init(integratedLUFS: -10, truePeakDBTP: -8)
            items[place].facts?.place = .init(albumID: 7, track: place + 1)
        }
        return items
    }

    private static func decibels(_ hertz: Double, _ samples: [Float], at seconds: Double) -> Double {
        20 * log10(amplitude(hertz, samples, at: seconds) / level)
    }

    @Test("By default album gain applies within an album, and track gain elsewhere")
    func automaticLevels() async throws {
        let directory = try TemporaryDirectory()
        let items = try Self.movements(in: directory)
        let made = try await Self.render(items) { _ in }
        // Album gain -18 + 10 before and after the transition; the single's track gain, -18 + 20.
        #expect(abs(Self.decibels(440, made, at: 3.9) + 8) < 0.1)
        #expect(abs(Self.decibels(1000, made, at: 4.1) + 8) < 0.1)
        #expect(abs(Self.decibels(1400, made, at: 10) - 2) < 0.1)
        // Out of order, they get track gain.
        let mixed = try await Self.render([items[1], items[0], items[2]]) { _ in }
        #expect(abs(Self.decibels(1000, mixed, at: 2) + 8.9) < 0.1)
        #expect(abs(Self.decibels(440, mixed, at: 6) + 6) < 0.1)
        // With track gain, the second movement is 2.9 dB quieter.
        let byTrack = try await Self.render(items) { $0.normalization = .track(targetLUFS: -18) }
        let fall = Self.decibels(1000, byTrack, at: 4.1) - Self.decibels(440, byTrack, at: 3.9)
        #expect(abs(fall + 2.9) < 0.1)
    }

    @Test("A movement queued while the previous one plays keeps its level")
    func automaticLevelsAppended() async throws {
        let directory = try TemporaryDirectory()
        let items = try Self.movements(in: directory)
        let engine = PlaybackEngine(
            sink: WAVFileSink(path: directory.file("out.wav")), transport: NoTransport())
        let events = engine.events()
        await engine.play([items[0]])
        // The first item is alone in the queue when its level is determined.
        await engine.append([items[1]])
        for await event in events {
            if case .stateChanged(.stopped) = event { break }
        }
        await engine.shutDown()
        let made = try WAVSamples(directory.file("out.wav")).samples
        #expect(abs(Self.decibels(440, made, at: 3.9) + 6) < 0.1)
        #expect(abs(Self.decibels(1000, made, at: 4.1) + 6) < 0.1)
    }

    @Test("ReplayGain tags are used if there are no measurements", arguments: ["2.3", "2.4"])
    func replayGain(_ version: String) async throws {
        let directory = try TemporaryDirectory()
        var item = try Self.tone(440, 3, in: directory)
        item.facts = nil
        guard case .file(let path) = item.location else { return }
        let tagged = directory.file("tagged.mp3")
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-i", path, "-c", "copy", "-id3v2_version", String(version.dropFirst(2)),
                "-metadata", "REPLAYGAIN_TRACK_GAIN=-4.50 dB", "-metadata", "REPLAYGAIN_TRACK_PEAK=0.250000",
                tagged,
            ])
        item.location = .file(path: tagged)
        let made = try await Self.render([item]) { $0.normalization = .track(targetLUFS: -18) }
        let level = 20 * log10(Self.amplitude(440, made, at: 1.5) / Self.level)
        #expect(abs(level + 4.5) < 0.1)
    }
}
