import Foundation
import Testing

@testable import MusicShared

/// Plans for tracks whose level follows a formula.
@Suite("Crossfade plan")
struct CrossfadePlanTests {
    /// Returns a track of 200 s that fades by 60 dB, linearly in dB, from `fadeStart` to its end.
    private func fading(from fadeStart: Double = 180, loudness: Double = -12, peak: Double = -3)
        -> CrossfadeTrack
    {
        var track = CrossfadeTrack(id: 1, durationSeconds: 200, ending: .fade)
        track.fadeOutStartSeconds = fadeStart
        let secondsPerDB = (200 - fadeStart) / 60
        // The track is last above a level of −L dB after L dB of the fade.
        track.endRamp = [-40.0, -30, -24, -21, -18, -15, -12, -9, -6, -3, 0].map {
            LevelRamp.Point(levelDB: $0, seconds: 200 - fadeStart + $0 * secondsPerDB)
        }
        track.startNextSeconds = fadeStart + 8 * secondsPerDB
        track.loudness = .init(integratedLUFS: loudness, truePeakDBTP: peak)
        return track
    }

    /// Returns a track of 200 s that starts and stops abruptly.
    private func steady(loudness: Double = -12, peak: Double = -3) -> CrossfadeTrack {
        var track = CrossfadeTrack(id: 2, durationSeconds: 200)
        track.loudness = .init(integratedLUFS: loudness, truePeakDBTP: peak)
        return track
    }

    @Test("A fade-out overlaps from the point where it is 8 LU down", arguments: [194.0, 191, 188])
    func fadeOut(fadeStart: Double) throws {
        let plan = CrossfadePlan(from: fading(from: fadeStart), to: steady())
        #expect(plan.transition == .overlap)
        #expect(abs(plan.startSeconds - (fadeStart + (200 - fadeStart) * 8 / 60)) < 1e-9)
        #expect(plan.endSeconds == 200 && plan.cueInSeconds == 0)
        #expect(abs(plan.overlapSeconds - (200 - plan.startSeconds)) < 1e-9)
        let fade = try #require(plan.outgoing.fade)
        #expect(fade.curve == .none, "the music fades by itself")
    }

    @Test("A longer fade-out starts later, and nothing is cut")
    func longestOverlap() {
        let long = fading(from: 140)
        #expect(CrossfadePlan(from: long, to: steady()).startSeconds == 188)
        #expect(
            CrossfadePlan(from: long, to: steady(), options: .init(maximumSeconds: 5)).startSeconds == 195)
        let none = CrossfadePlan(from: long, to: steady(), options: .init(maximumSeconds: 0))
        #expect(none.transition == .cut && none.startSeconds == 200 && none.outgoing.fade == nil)
        #expect(none.endSeconds == 200)
    }

    @Test("A hard ending before a hard start has no overlap")
    func hardEnding() {
        let plan = CrossfadePlan(from: steady(), to: steady())
        #expect(plan.transition == .cut && plan.overlapSeconds == 0 && plan.startSeconds == 200)
        #expect(plan.outgoing.fade == nil && plan.incoming.fade == nil && plan.overlapPeakDBTP == nil)
    }

    @Test("The decay after a hard ending is faded, and the incoming track keeps its attack")
    func ringingEnding() throws {
        var ringing = steady()
        ringing.endRamp = [.init(levelDB: -8, seconds: 0.6), .init(levelDB: 0, seconds: 0.7)]
        let plan = CrossfadePlan(from: ringing, to: steady())
        #expect(abs(plan.overlapSeconds - 0.6) < 1e-9)
        let out = try #require(plan.outgoing.fade)
        #expect(out.curve == .equalPower && out.startGain == 1 && out.endGain == 0)
        #expect(try #require(plan.incoming.fade).curve == .none)
        #expect(abs(pow(out.gain(atSeconds: 199.7), 2) - 0.5) < 1e-9, "half the power at half the time")
    }

    @Test("A fade-in rises under a hard ending, which is not faded")
    func fadeIn() throws {
        var rising = steady()
        rising.fadeInEndSeconds = 5
        let plan = CrossfadePlan(from: steady(), to: rising)
        // Linear in amplitude: −8 dB after 5 s · 10^(−8/20).
        #expect(abs(plan.overlapSeconds - 5 * pow(10, -8.0 / 20)) < 1e-9)
        #expect(try #require(plan.outgoing.fade).curve == .none)
    }

    @Test(
        "A held chord and a quiet tail are played to their end",
        arguments: [CrossfadeTrack.Ending.sustained, .longTail])
    func quietEnding(ending: CrossfadeTrack.Ending) {
        var track = steady()
        track.ending = ending
        // 6 s at −15 LU, then the end.
        track.endRamp = [
            .init(levelDB: -21, seconds: 0), .init(levelDB: -15, seconds: 0), .init(levelDB: -12, seconds: 6),
            .init(levelDB: 0, seconds: 6),
        ]
        #expect(CrossfadePlan(from: track, to: steady()).overlapSeconds == 0)
        track.ending = .fade
        #expect(CrossfadePlan(from: track, to: steady()).overlapSeconds == 6)
    }

    @Test("Without ramps the plan uses the stored start of the next track")
    func withoutRamps() {
        var track = fading()
        track.endRamp = []
        #expect(
            abs(CrossfadePlan(from: track, to: steady()).startSeconds - max(188, 180 + 20.0 * 8 / 60)) < 1e-9)
        track.startNextSeconds = 197
        #expect(abs(CrossfadePlan(from: track, to: steady()).startSeconds - 197) < 1e-9)
    }

    @Test(
        "Gains reach the target unless limited by the true peak",
        arguments: [(-9.0, -1.0, -18.0, -9.0), (-20, -6, -18, 2), (-20, -2, -18, 1), (-30, -1, -16, 0)])
    func gains(loudness: Double, peak: Double, target: Double, gain: Double) {
        let plan = CrossfadePlan(
            from: fading(loudness: loudness, peak: peak), to: steady(loudness: loudness, peak: peak),
            options: .init(targetLUFS: target))
        #expect(abs(plan.outgoing.gainDB - gain) < 1e-9 && abs(plan.incoming.gainDB - gain) < 1e-9)
        #expect(plan.targetLUFS == target)
    }

    @Test("A track limited by its peak is masked sooner by a louder one, and masks later")
    func unlikeLoudness() {
        // 4 dB below the target, so the incoming track masks it from −4 LU on.
        let short = fading(from: 191, loudness: -22, peak: -1)
        let secondsPerDB = 9.0 / 60
        #expect(abs(CrossfadePlan(from: short, to: steady()).startSeconds - (191 + 4 * secondsPerDB)) < 1e-9)
        let shortNext = steady(loudness: -22, peak: -1)
        let plan = CrossfadePlan(from: fading(from: 191), to: shortNext)
        #expect(abs(plan.startSeconds - (191 + 12 * secondsPerDB)) < 1e-9)
    }

    @Test("Consecutive album tracks are played whole, at the album gain")
    func album() {
        var first = fading()
        first.place = .init(albumID: 3, track: 4)
        first.albumLoudness = .init(integratedLUFS: -10, truePeakDBTP: -1)
        var second = steady()
        second.place = .init(albumID: 3, track: 5)
        second.albumLoudness = first.albumLoudness
        second.cueInSeconds = 0.3
        let plan = CrossfadePlan(from: first, to: second)
        #expect(plan.transition == .gapless && plan.overlapSeconds == 0)
        #expect(plan.startSeconds == 200 && plan.cueInSeconds == 0)
        #expect(plan.outgoing.albumGainDB == -8 && plan.incoming.albumGainDB == -8)
        for other in [
            CrossfadeTrack.AlbumPlace(albumID: 3, track: 6), .init(albumID: 3, track: 4),
            .init(albumID: 3, track: 3), .init(albumID: 3, disc: 2, track: 5), .init(albumID: 4, track: 5),
        ] {
            second.place = other
            #expect(CrossfadePlan(from: first, to: second).transition == .overlap, "\(other)")
        }
    }

    @Test("Short tracks do not overlap", arguments: [0.0, 0.05, 1, 19.9])
    func shortTracks(seconds: Double) {
        var short = CrossfadeTrack(id: 3, durationSeconds: seconds, ending: .fade)
        short.loudness = .init(integratedLUFS: -12, truePeakDBTP: -3)
        short.endRamp = [.init(levelDB: 0, seconds: seconds)]
        for plan in [CrossfadePlan(from: short, to: steady()), CrossfadePlan(from: fading(), to: short)] {
            #expect(plan.transition == .cut && plan.startSeconds == plan.endSeconds)
        }
    }

    @Test("The overlap is at most half of either track")
    func half() {
        var short = CrossfadeTrack(id: 3, durationSeconds: 21)
        short.loudness = .init(integratedLUFS: -12, truePeakDBTP: -3)
        let plan = CrossfadePlan(from: fading(from: 140), to: short)
        #expect(plan.overlapSeconds == 10.5)
    }

    @Test("Silence has no loudness, so no gain and no overlap")
    func silence() {
        let silent = CrossfadeTrack(id: 3, durationSeconds: 60)
        let plan = CrossfadePlan(from: silent, to: steady())
        #expect(plan.transition == .cut && plan.outgoing.gainDB == 0 && plan.startSeconds == 60)
        #expect(CrossfadePlan(from: silent, to: silent).incoming.gainDB == 0)
    }

    @Test("A track is followed by itself like by any other track")
    func repeated() {
        let track = fading(from: 191)
        var again = track
        again.place = .init(albumID: 1, track: 1)
        #expect(CrossfadePlan(from: again, to: again).transition == .overlap)
        #expect(
            CrossfadePlan(from: track, to: track).startSeconds
                == CrossfadePlan(from: track, to: steady()).startSeconds)
    }

    @Test("The example of docs/transitions.md")
    func documentedExample() throws {
        var outgoing = CrossfadeTrack(id: 7, durationSeconds: 30, ending: .fade)
        outgoing.loudness = .init(integratedLUFS: -12, truePeakDBTP: -3)
        // The main part is 0.7 LU above the track's own loudness, and falls linearly in amplitude.
        outgoing.endRamp = stride(from: -40.0, through: 0, by: 1).map {
            LevelRamp.Point(levelDB: $0, seconds: 10 * pow(10, ($0 - 0.7) / 20))
        }
        var incoming = CrossfadeTrack(id: 12, durationSeconds: 200)
        incoming.loudness = .init(integratedLUFS: -14, truePeakDBTP: -1.5)
        let plan = CrossfadePlan(from: outgoing, to: incoming)
        #expect(plan.transition == .overlap && plan.endSeconds == 30 && plan.cueInSeconds == 0)
        #expect(abs(plan.startSeconds - 26.3) < 0.05 && abs(plan.overlapSeconds - 3.7) < 0.05)
        #expect(plan.outgoing.gainDB == -6 && plan.incoming.gainDB == -4)
        #expect(abs(try #require(plan.overlapPeakDBTP) + 3.5) < 0.1)
        #expect(plan.outgoing.fade?.curve == CrossfadePlan.Fade.Curve.none)
        #expect(plan.incoming.fade?.curve == CrossfadePlan.Fade.Curve.none)
    }

    @Test("The JSON round-trips, with names in snake case")
    func coding() throws {
        var first = fading()
        first.endKey = CamelotKey("8A")
        first.tempo = .init(bpm: 120, confidence: 1, beatSeconds: (0..<400).map { Double($0) / 2 })
        let plan = CrossfadePlan(from: first, to: first)
        let data = try JSONEncoder().encode(plan)
        #expect(try JSONDecoder().decode(CrossfadePlan.self, from: data) == plan)
        let keys = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]).keys
        #expect(keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
        #expect(keys.contains("start_seconds") && keys.contains("cue_in_seconds"))
    }
}
