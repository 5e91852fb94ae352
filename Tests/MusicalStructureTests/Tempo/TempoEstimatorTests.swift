import Foundation
import Testing

@testable import Analyzer
@testable import MusicalStructure

@Suite struct TempoEstimatorTests {
    /// The expected tempo is the one of the generated signal.
    @Test(arguments: stride(from: 60.0, through: 200, by: 10).map { $0 } + [87.3, 119.5, 120.25, 174.6])
    func clickTrackHasItsTempoAndBeats(bpm: Double) throws {
        let firstBeat = 0.4
        let tempo = try #require(
            TempoEstimator.estimate(TempoSignal.clicks(bpm: bpm, firstBeat: firstBeat).envelope()))
        #expect(abs(tempo.bpm - bpm) <= 0.05)
        #expect(abs(tempo.firstBeatSeconds - firstBeat) <= 0.003)
        #expect(tempo.beatSeconds.count >= Int(23 / 60 * bpm))
        for beat in tempo.beatSeconds {
            let position = (beat - firstBeat) / (60 / bpm)
            #expect(abs(position - position.rounded()) * 60 / bpm <= 0.003)
        }
    }

    @Test(arguments: [0.0, 0.0113, 1.37, 5.0])
    func firstBeatIsTheFirstClick(firstBeat: Double) throws {
        let tempo = try #require(
            TempoEstimator.estimate(TempoSignal.clicks(bpm: 128, firstBeat: firstBeat).envelope()))
        #expect(abs(tempo.firstBeatSeconds - firstBeat) <= 0.02)
    }

    @Test(arguments: [90.0, 120, 140])
    func kicksOnTheBeatOutweighHatsBetween(bpm: Double) throws {
        var signal = TempoSignal(seconds: 30)
        for beat in 0..<Int(29 * bpm / 60) {
            let time = 0.2 + Double(beat) * 60 / bpm
            signal.addTone(at: time, frequency: 70, amplitude: 0.7, decaySeconds: 0.06)
            if beat % 2 == 1 { signal.addHat(at: time, amplitude: 0.4, decaySeconds: 0.05) }
            signal.addHat(at: time)
            signal.addHat(at: time + 30 / bpm)
        }
        let tempo = try #require(TempoEstimator.estimate(signal.envelope()))
        #expect(abs(tempo.bpm - bpm) <= 0.05)
        let phase = ((tempo.firstBeatSeconds - 0.2) / (60 / bpm)).remainder(dividingBy: 1) * 60 / bpm
        #expect(abs(phase) <= 0.02)
    }

    @Test func swungOffBeatsKeepTheTempo() throws {
        let bpm = 110.0
        var signal = TempoSignal(seconds: 30)
        for beat in 0..<Int(29 * bpm / 60) {
            let time = 0.3 + Double(beat) * 60 / bpm
            signal.addTone(at: time, frequency: 80, amplitude: 0.7, decaySeconds: 0.05)
            signal.addHat(at: time, amplitude: 0.2)
            signal.addHat(at: time + 2.0 / 3 * 60 / bpm, amplitude: 0.2)
        }
        let tempo = try #require(TempoEstimator.estimate(signal.envelope()))
        #expect(abs(tempo.bpm - bpm) <= 0.05)
    }

    @Test func clicksInNoise() throws {
        var signal = TempoSignal.clicks(bpm: 132)
        signal.addNoise(amplitude: 0.05)
        let tempo = try #require(TempoEstimator.estimate(signal.envelope()))
        #expect(abs(tempo.bpm - 132) <= 0.1)
    }

    @Test func driftingTempoIsFollowed() throws {
        var signal = TempoSignal(seconds: 60)
        var truth: [Double] = []
        var time = 0.5
        while time < 59 {
            truth.append(time)
            signal.addTone(at: time, frequency: 900)
            time += 60 / (110 + 10 * time / 60)
        }
        let tempo = try #require(TempoEstimator.estimate(signal.envelope()))
        #expect(abs(tempo.bpm - 115) <= 4)
        for time in truth {
            let nearest = tempo.beatSeconds.map { abs($0 - time) }.min() ?? .infinity
            #expect(nearest <= 0.03, "no beat near \(time) s")
        }
    }

    @Test func silenceHasNoTempo() {
        #expect(TempoEstimator.estimate(TempoSignal(seconds: 20).envelope()) == nil)
    }

    @Test(arguments: [5.0, 20, 60]) func noiseHasNoTempo(seconds: Double) {
        var signal = TempoSignal(seconds: seconds)
        signal.addNoise(amplitude: 0.3)
        #expect(TempoEstimator.estimate(signal.envelope()) == nil)
    }

    @Test func heldChordHasNoTempo() {
        var signal = TempoSignal(seconds: 20)
        signal.addPad(frequencies: [220, 277.18, 329.63])
        #expect(TempoEstimator.estimate(signal.envelope()) == nil)
    }

    @Test(arguments: [0, 1, 10, 100]) func tooShortHasNoTempo(frames: Int) {
        let signal = TempoSignal.clicks(bpm: 120, seconds: Double(frames) / TempoSignal.framesPerSecond)
        #expect(TempoEstimator.estimate(signal.envelope()) == nil)
    }

    @Test func fiveSecondsSuffice() throws {
        let tempo = try #require(TempoEstimator.estimate(TempoSignal.clicks(bpm: 120, seconds: 5).envelope()))
        #expect(abs(tempo.bpm - 120) <= 0.5)
    }

    @Test func beatsAscendWithinTheTrack() throws {
        let tempo = try #require(
            TempoEstimator.estimate(TempoSignal.clicks(bpm: 100, seconds: 20).envelope()))
        #expect(tempo.firstBeatSeconds == tempo.beatSeconds.first)
        #expect(zip(tempo.beatSeconds, tempo.beatSeconds.dropFirst()).allSatisfy { $0 < $1 })
        #expect(tempo.beatSeconds.allSatisfy { (0...20).contains($0) })
    }

    /// Clicks every half second repeat fully at multiples of it, and hardly between.
    @Test("The statistics of a pulse are high at multiples of its period")
    func repetition() throws {
        let envelope = TempoSignal.clicks(bpm: 120, seconds: 60).envelope()
        let values = try #require(PulsePeriodicity(envelope)).statistics
        #expect(values.count == PulsePeriodicity.statisticCount)
        // The centres of the ranges rise by this ratio.
        let ratio = pow(4 / 0.15, 1.0 / 35)
        for (index, value) in values.enumerated() {
            let centre = 0.15 * pow(ratio, Double(index))
            let beats = [centre / ratio.squareRoot(), centre * ratio.squareRoot()].map { $0 / 0.5 }
            let margin = 0.06
            if (1...7).contains(where: { beats[0] + margin < Double($0) && Double($0) < beats[1] - margin }) {
                #expect(value > 0.8, "\(centre) s: \(value)")
            } else if beats[0].rounded(.down) == beats[1].rounded(.down),
                beats[0].truncatingRemainder(dividingBy: 1) > 0.2,
                beats[1].truncatingRemainder(dividingBy: 1) < 0.8
            {
                #expect(value < 0.2, "\(centre) s: \(value)")
            }
        }
        #expect(PulsePeriodicity(TempoSignal(seconds: 2).envelope()) == nil)
    }
}
