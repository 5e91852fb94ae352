import Foundation
import TestSupport
import Testing

@testable import MusicShared

/// Conditions that every plan meets, whatever the tracks.
@Suite("Crossfade plan, properties")
struct CrossfadePropertyTests {
    private static func track(_ random: inout SeededGenerator) -> CrossfadeTrack {
        let duration =
            Double.random(in: 0...1, using: &random) < 0.2
            ? Double.random(in: 0...2, using: &random) : Double.random(in: 2...400, using: &random)
        var track = CrossfadeTrack(
            id: 1, durationSeconds: duration,
            ending: CrossfadeTrack.Ending.allCases.randomElement(using: &random) ?? .hard)
        track.cueInSeconds = Double.random(in: 0...duration / 4, using: &random)
        track.cueOutSeconds = Double.random(in: track.cueInSeconds...duration, using: &random)
        track.startNextSeconds = Double.random(in: track.cueInSeconds...track.cueOutSeconds, using: &random)
        track.fadeInEndSeconds = Double.random(in: track.cueInSeconds...track.cueOutSeconds, using: &random)
        track.fadeOutStartSeconds = Double.random(
            in: track.fadeInEndSeconds...track.cueOutSeconds, using: &random)
        if Bool.random(using: &random) {
            track.startRamp = ramp(track.audibleSeconds, &random)
            track.endRamp = ramp(track.audibleSeconds, &random)
        }
        // Most music starts abruptly, so peaks coincide.
        if Bool.random(using: &random) {
            track.startRamp = []
            track.fadeInEndSeconds = track.cueInSeconds
        }
        if Double.random(in: 0...1, using: &random) < 0.9 {
            let loudness = Double.random(in: -60 ... -5, using: &random)
            track.loudness = .init(
                integratedLUFS: loudness, truePeakDBTP: loudness + Double.random(in: 8...25, using: &random))
        }
        if Bool.random(using: &random) {
            let bpm = Double.random(in: 50...200, using: &random)
            track.tempo = .init(
                bpm: bpm, confidence: Double.random(in: 0...1, using: &random),
                beatSeconds: Array(stride(from: 0.05, to: duration, by: 60 / bpm)))
        }
        return track
    }

    /// Returns a ramp that may be out of order and contain values from a damaged database.
    private static func ramp(_ length: Double, _ random: inout SeededGenerator) -> [LevelRamp.Point] {
        (0..<Int.random(in: 0...13, using: &random)).map { index in
            LevelRamp.Point(
                levelDB: Double(index * 4 - 42),
                seconds: index == 7
                    ? .infinity : Double.random(in: 0...min(15, max(1, length)), using: &random))
        }
    }

    @Test("Nothing is outside the tracks, and nothing clips", arguments: 0..<20)
    func invariants(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var overlaps = 0
        var faded = 0
        for _ in 0..<500 {
            let from = Self.track(&random)
            let to = Self.track(&random)
            let options = CrossfadePlan.Options(
                targetLUFS: .random(in: CrossfadePlan.Options.targetRange, using: &random),
                maximumSeconds: .random(in: CrossfadePlan.Options.maximumRange, using: &random))
            let plan = CrossfadePlan(from: from, to: to, options: options)
            let slack = 1e-9
            #expect(plan.startSeconds >= from.cueInSeconds - slack)
            #expect(plan.endSeconds == from.cueOutSeconds)
            #expect(plan.cueInSeconds == to.cueInSeconds)
            #expect(abs(plan.startSeconds + plan.overlapSeconds - plan.endSeconds) <= slack)
            #expect(plan.overlapSeconds >= 0 && plan.overlapSeconds <= options.maximumSeconds + slack)
            #expect(plan.overlapSeconds <= min(from.audibleSeconds, to.audibleSeconds) / 2 + slack)
            #expect((plan.overlapSeconds > 0) == (plan.transition == .overlap))
            for (side, track) in [(plan.outgoing, from), (plan.incoming, to)] {
                guard let loudness = track.loudness else { continue }
                #expect(loudness.truePeakDBTP + side.gainDB <= -1 + slack)
                #expect(loudness.integratedLUFS + side.gainDB <= options.targetLUFS + slack)
            }
            guard plan.overlapSeconds > 0 else { continue }
            try checkSum(plan, from, to)
            overlaps += 1
            if plan.incoming.fade?.curve == .linear { faded += 1 }
        }
        #expect(overlaps > 100 && faded > 10, "too few tracks overlap for a meaningful test")
    }

    /// Checks, on an independent grid, that the sum of both peaks, each reduced with its track's level, stays below full scale.
    private func checkSum(_ plan: CrossfadePlan, _ from: CrossfadeTrack, _ to: CrossfadeTrack) throws {
        let fall = LevelRamp.end(of: from)
        let rise = LevelRamp.start(of: to)
        let out = try #require(plan.outgoing.fade)
        let into = try #require(plan.incoming.fade)
        let outgoingPeak = try #require(from.loudness).truePeakDBTP + plan.outgoing.gainDB
        let incomingPeak = try #require(to.loudness).truePeakDBTP + plan.incoming.gainDB
        let bound = try #require(plan.overlapPeakDBTP)
        #expect(bound <= 1e-6)
        for step in 0...97 {
            let after = plan.overlapSeconds * Double(step) / 97
            let before = plan.overlapSeconds - after
            let outgoing =
                pow(10, (outgoingPeak + fall.level(withinSeconds: before)) / 20)
                * out.gain(atSeconds: plan.startSeconds + after)
            let incoming =
                pow(10, (incomingPeak + rise.level(withinSeconds: after)) / 20)
                * into.gain(atSeconds: plan.cueInSeconds + after)
            #expect(20 * log10(outgoing + incoming) <= bound + 1e-6)
        }
        for fade in [out, into] {
            #expect((0...1).contains(fade.startGain) && (0...1).contains(fade.endGain))
        }
    }

    @Test("The same input gives the same plan")
    func determinism() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<100 {
            let from = Self.track(&random)
            let to = Self.track(&random)
            #expect(CrossfadePlan(from: from, to: to) == CrossfadePlan(from: from, to: to))
        }
    }
}
