import Foundation
import Testing

@testable import Analyzer

/// Rhythms whose strongest onsets are not on the beat; the beats are known by construction.
@Suite struct BeatPhaseTests {
    private static let firstBeat = 0.4
    private static let seconds = 32.0

    /// Returns a signal with sounds at positions within a bar of four beats.
    ///
    /// - Parameters:
    ///   - bpm: beats per minute.
    ///   - add: adds the sounds of a beat: signal, time of the beat, its period, its number in the bar from 0.
    private static func bars(
        bpm: Double, _ add: (inout TempoSignal, Double, Double, Int) -> Void
    ) -> TempoSignal {
        var signal = TempoSignal(seconds: seconds)
        let period = 60 / bpm
        for beat in 0..<Int((seconds - 1 - firstBeat) / period) {
            add(&signal, firstBeat + Double(beat) * period, period, beat % 4)
        }
        return signal
    }

    private static func kick(_ signal: inout TempoSignal, _ time: Double, amplitude: Float = 0.6) {
        signal.addTone(at: time, frequency: 60, amplitude: amplitude, decaySeconds: 0.06)
    }

    private static func snare(_ signal: inout TempoSignal, _ time: Double, amplitude: Float = 0.5) {
        signal.addTone(at: time, frequency: 190, amplitude: amplitude, decaySeconds: 0.04)
        signal.addHat(at: time, amplitude: amplitude, decaySeconds: 0.05)
    }

    private static func chord(_ signal: inout TempoSignal, _ time: Double, amplitude: Float) {
        for frequency in [262.0, 330, 392, 784, 1568] {
            signal.addTone(at: time, frequency: frequency, amplitude: amplitude, decaySeconds: 0.05)
        }
    }

    /// Expects every beat within 30 ms of a beat of the signal.
    private func expectOnBeat(_ beatSeconds: [Double], bpm: Double) throws {
        let worst = beatSeconds.map {
            abs((($0 - Self.firstBeat) / (60 / bpm)).remainder(dividingBy: 1)) * 60 / bpm
        }.max()
        #expect(try #require(worst) <= 0.03)
    }

    /// Expects the tempo and the beats of the signal.
    private func expectOnBeat(_ signal: TempoSignal, bpm: Double) throws {
        let tempo = try #require(TempoEstimator.estimate(signal.envelope()))
        try #require(abs(tempo.bpm - bpm) <= 0.05, "the tempo is \(tempo.bpm)")
        try expectOnBeat(tempo.beatSeconds, bpm: bpm)
        let confidence = try #require(tempo.beatConfidence)
        #expect(confidence > 0 && confidence <= tempo.confidence)
    }

    @Test(arguments: [80.0, 100, 120, 140]) func clicks(bpm: Double) throws {
        try expectOnBeat(
            .clicks(bpm: bpm, seconds: Self.seconds, firstBeat: Self.firstBeat), bpm: bpm)
    }

    /// House music: kick on each beat, clap on the second and fourth, loud open hi-hats between.
    @Test(arguments: [118.0, 124, 130]) func loudHatsBetweenTheBeats(bpm: Double) throws {
        let signal = Self.bars(bpm: bpm) { signal, time, period, beat in
            Self.kick(&signal, time)
            if beat % 2 == 1 { Self.snare(&signal, time, amplitude: 0.3) }
            signal.addHat(at: time + period / 2, amplitude: 0.7, decaySeconds: 0.06)
        }
        try expectOnBeat(signal, bpm: bpm)
    }

    /// Ska and reggae: bass on the beat, loud chords between. The tempo is given, because its double is as plausible.
    @Test(arguments: [84.0, 100, 126]) func strongChordsBetweenTheBeats(bpm: Double) throws {
        let signal = Self.bars(bpm: bpm) { signal, time, period, beat in
            let frequency = [65.0, 65, 82, 98][beat]
            signal.addTone(at: time, frequency: frequency, amplitude: 0.5, decaySeconds: 0.12)
            if beat == 2 { Self.snare(&signal, time, amplitude: 0.3) }
            signal.addHat(at: time, amplitude: 0.1)
            Self.chord(&signal, time + period / 2, amplitude: 0.2)
        }
        let groups = OnsetGroup.all(of: signal.envelope())
        let tracked = BeatTimeline(
            tracker: BeatTracker(groups: groups), periodFrames: 3600 / bpm, framesPerSecond: 60,
            latencySeconds: TempoEstimator.latencySeconds)
        var timeline = try #require(tracked)
        let phase = BeatPhase(groups: groups, beatFrames: timeline.beatFrames(framesPerSecond: 60), bpm: bpm)
        timeline.move(by: phase.shift)
        try expectOnBeat(timeline.beatSeconds, bpm: bpm)
    }

    /// Rock: the snare on the second and fourth beat is louder than the kick on the first and third.
    @Test(arguments: [96.0, 112, 128]) func snareLouderThanTheKick(bpm: Double) throws {
        let signal = Self.bars(bpm: bpm) { signal, time, period, beat in
            if beat % 2 == 0 { Self.kick(&signal, time, amplitude: 0.4) }
            if beat % 2 == 1 { Self.snare(&signal, time, amplitude: 0.9) }
            signal.addHat(at: time, amplitude: 0.15)
            signal.addHat(at: time + period / 2, amplitude: 0.15)
        }
        try expectOnBeat(signal, bpm: bpm)
    }

    /// A file with a missing number would shift all following weights.
    @Test func trainedWeightsFitTheFeatures() {
        let groups = OnsetGroup.all(of: TempoSignal.clicks(bpm: 120, seconds: 8).envelope())
        let features = BeatPhase.features(
            groups: groups, beatFrames: stride(from: 24.0, to: 450, by: 30).map { $0 }, bpm: 120)
        let network = TempoNetwork.beatPhase
        #expect(features.count == BeatPhase.shifts.count)
        #expect(features.allSatisfy { $0.count == network.direct.count })
        #expect(network.hidden.count == network.direct.count * network.outputs.count)
        #expect(network.offsets.count == network.outputs.count)
    }

    /// Clicks every half second, with beats given on them: step 0 is the strongest; with beats given between: step 6.
    @Test(arguments: [(0.0, 0), (15, 6)]) func profileIsRelativeToTheBeats(shift: Double, strongest: Int) {
        let groups = OnsetGroup.all(of: TempoSignal.clicks(bpm: 120, seconds: 20, firstBeat: 1).envelope())
        let beats = stride(from: 60.0, to: 1100, by: 30).map { $0 + shift }
        let profile = BeatProfile(group: groups[3], beatFrames: beats)
        #expect(profile.mean.count == BeatProfile.stepCount)
        #expect(profile.mean.indices.max { profile.mean[$0] < profile.mean[$1] } == strongest)
        // All beats are alike.
        #expect(profile.deviation.allSatisfy { $0 < 0.2 * profile.mean[strongest] })
    }
}

@Suite struct BeatTimelineTests {
    private static func timeline(_ signal: TempoSignal, bpm: Double) throws -> BeatTimeline {
        let groups = OnsetGroup.all(of: signal.envelope())
        return try #require(
            BeatTimeline(
                tracker: BeatTracker(groups: groups), periodFrames: 3600 / bpm, framesPerSecond: 60,
                latencySeconds: TempoEstimator.latencySeconds))
    }

    /// The onsets move from the beats to the off-beats halfway, and so does the chain: the tempo is constant all the same.
    @Test func onsetsThatMoveToTheOffBeatKeepTheGrid() throws {
        var signal = TempoSignal(seconds: 60)
        for beat in 0..<116 {
            let time = 0.5 + 0.5 * Double(beat) + (beat < 58 ? 0 : 0.25)
            signal.addTone(at: time, frequency: 900)
        }
        let timeline = try Self.timeline(signal, bpm: 120)
        #expect(timeline.isConstant)
        #expect(abs(timeline.bpm - 120) <= 0.05)
        let distances = timeline.beatSeconds.map { abs((($0 - 0.5) / 0.25).remainder(dividingBy: 1)) * 0.25 }
        #expect(distances.allSatisfy { $0 <= 0.03 })
        let periods = zip(timeline.beatSeconds.dropFirst(), timeline.beatSeconds).map { $0 - $1 }
        #expect(periods.allSatisfy { abs($0 - 0.5) <= 0.001 })
    }

    @Test(arguments: [0.25, 0.5, 2.0 / 3]) func movedBeatsStayInTheAudibleRange(fraction: Double) throws {
        var timeline = try Self.timeline(.clicks(bpm: 120, seconds: 20), bpm: 120)
        let before = timeline.beatSeconds
        timeline.move(by: fraction)
        #expect(abs(timeline.beatSeconds.count - before.count) <= 1)
        #expect(zip(timeline.beatSeconds, timeline.beatSeconds.dropFirst()).allSatisfy { $0 < $1 })
        for time in timeline.beatSeconds {
            let position = (time - before[0]) / 0.5 - fraction
            #expect(abs(position.remainder(dividingBy: 1)) <= 0.001)
            #expect(time >= before[0] - 0.25 && time <= before[before.count - 1] + 0.25)
        }
    }
}
