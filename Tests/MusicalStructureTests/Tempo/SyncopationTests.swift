import Testing

@testable import Analyzer
@testable import MusicalStructure

/// Rhythms whose strongest pulse is not the beat.
@Suite struct SyncopationTests {
    /// Returns beats on the eighths of a bar with four beats: kick, snare and hats by their patterns.
    private static func bars(bpm: Double, kick: String, snare: String, hats: String) -> TempoSignal {
        var signal = TempoSignal(seconds: 40)
        let eighth = 30 / bpm
        for step in 0..<Int(39 / eighth) {
            let time = 0.2 + Double(step) * eighth
            let stroke = { (pattern: String) in Array(pattern)[step % pattern.count] == "x" }
            if stroke(kick) { signal.addTone(at: time, frequency: 65, amplitude: 0.7, decaySeconds: 0.06) }
            if stroke(snare) { signal.addTone(at: time, frequency: 190, amplitude: 0.5, decaySeconds: 0.04) }
            if stroke(snare) { signal.addHat(at: time, amplitude: 0.4, decaySeconds: 0.05) }
            if stroke(hats) { signal.addHat(at: time) }
        }
        return signal
    }

    /// The beat or its double, on which all hats play; never 4/3 of it, which the kick plays.
    @Test(arguments: [90.0, 100, 112, 128])
    func threeThreeTwoUnderABackbeat(bpm: Double) throws {
        let signal = Self.bars(bpm: bpm, kick: "x..x..x.", snare: "..x...x.", hats: "xxxxxxxx")
        let tempo = try #require(TempoEstimator.estimate(signal.envelope()))
        #expect(min(abs(tempo.bpm - bpm), abs(tempo.bpm / 2 - bpm)) <= 0.05)
    }

    /// Eight dotted notes and two plain ones fill two bars of sixteenths: the dotted pulse is the strongest, and fades with
    /// every period.
    @Test func dottedPulseIsNotABarePulse() {
        let signal = Self.bars(
            bpm: 240, kick: "x..x..x..x..x..x..x..x..x...x...", snare: ".", hats: ".")
        let periodicity = PulsePeriodicity(groups: OnsetGroup.all(of: signal.envelope()), framesPerSecond: 60)
        #expect(periodicity.bareBPM == nil)
    }

    @Test(arguments: [60.0, 97, 140, 200]) func metronomeIsABarePulse(bpm: Double) throws {
        let groups = OnsetGroup.all(of: TempoSignal.clicks(bpm: bpm).envelope())
        let bare = try #require(PulsePeriodicity(groups: groups, framesPerSecond: 60).bareBPM)
        // The period is a whole number of frames at 60 Hz.
        #expect(abs(bare / bpm - 1) <= 0.5 * bpm / 3600 + 0.005)
    }
}
