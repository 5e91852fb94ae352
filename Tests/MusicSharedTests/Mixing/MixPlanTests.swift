import Foundation
import TestSupport
import Testing

@testable import MusicShared

/// Mixes of tracks whose beats, bars and phrases are known.
@Suite("Mix plan")
struct MixPlanTests {
    private static let mixing = CrossfadePlan.Options(mode: .mix)

    private func track(
        _ id: Int, bpm: Double = 120, bar: Int = 4, first: Double = 0.2, seconds: Double = 200,
        key: String = "8A", loudness: Double = -10, peak: Double = -1
    ) -> CrossfadeTrack {
        var track = CrossfadeTrack(id: id, durationSeconds: seconds)
        var tempo = CrossfadeTrack.Tempo(
            bpm: bpm, confidence: 1, beatSeconds: Array(stride(from: first, to: seconds, by: 60 / bpm)))
        tempo.downbeatSeconds = Array(stride(from: first, to: seconds, by: Double(bar) * 60 / bpm))
        tempo.barConfidence = 1
        track.tempo = tempo
        track.phrases = stride(from: first, to: seconds, by: Double(bar * 8) * 60 / bpm)
            .map { .init(seconds: $0, confidence: 0.9) }
        track.startKey = CamelotKey(key)
        track.endKey = track.startKey
        track.loudness = .init(integratedLUFS: loudness, truePeakDBTP: peak)
        return track
    }

    @Test("Two tracks in time: 32 beats, from phrase to phrase, at the ratio of the tempi")
    func mix() throws {
        let plan = CrossfadePlan(from: track(1), to: track(2, bpm: 123, first: 0.5), options: Self.mixing)
        let mix = try #require(plan.mix)
        #expect(plan.transition == .mix && mix.beats == 32 && mix.beatsPerBar == 4 && mix.leavesAtPhrase)
        #expect(abs(mix.ratio - 120.0 / 123) < 1e-9)
        // Beats at 0.2 + k / 2, phrases of 16 s: the last one with 32 beats before the end at 200 s starts at 176.2 s.
        #expect(abs(plan.startSeconds - 176.2) < 1e-9 && abs(plan.endSeconds - 192.2) < 1e-9)
        #expect(abs(plan.cueInSeconds - 0.5) < 1e-9 && mix.largestOffsetSeconds < 1e-9)
        #expect(abs(mix.returnStartSeconds - (0.5 + 32 * 60 / 123.0)) < 1e-9)
        #expect(abs(mix.returnEndSeconds - (0.5 + 64 * 60 / 123.0)) < 1e-9, "at the next phrase")
        let reason = try #require(plan.reason)
        #expect(
            reason.contains("32 beats (16.0 s)") && reason.contains("2:56.2")
                && reason.contains("2.4 % slower"))
        #expect(reason.contains("8A → 8A, same key"), "\(reason)")
    }

    @Test(
        "The powers of the fades add up to 1, and the bass changes over within the beat at half the overlap")
    func curves() throws {
        let plan = CrossfadePlan(from: track(1), to: track(2, bpm: 123, first: 0.5), options: Self.mixing)
        let curve = SpeedCurve(plan)
        let (out, into) = (try #require(plan.outgoing.fade), try #require(plan.incoming.fade))
        let (outBass, inBass) = (try #require(plan.outgoing.bass), try #require(plan.incoming.bass))
        for share in stride(from: 0, through: 1, by: 0.01) {
            let time = share * plan.overlapSeconds
            let gains = (
                out.gain(atSeconds: plan.startSeconds + time),
                into.gain(atSeconds: curve.position(afterSeconds: time))
            )
            #expect(abs(gains.0 * gains.0 + gains.1 * gains.1 - 1) < 1e-9)
            let bass = (
                outBass.gainDB(atSeconds: plan.startSeconds + time),
                inBass.gainDB(atSeconds: curve.position(afterSeconds: time))
            )
            #expect(max(bass.0, bass.1) > -1e-6, "one of the tracks has its bass at any time")
            if time < 7.7 { #expect(bass.0 == 0 && bass.1 == -24) }
            if time > 8.3 { #expect(bass.0 == -24 && bass.1 == 0) }
        }
        #expect((100...150).contains(outBass.hertz))
    }

    @Test("A track at twice the tempo is mixed with two of its beats to one")
    func doubleTempo() throws {
        let plan = CrossfadePlan(from: track(1, bpm: 80), to: track(2, bpm: 164), options: Self.mixing)
        let mix = try #require(plan.mix, "\(plan.reason ?? "")")
        #expect(abs(mix.ratio - 160.0 / 164) < 1e-9 && mix.largestOffsetSeconds < 1e-9)
        let half = CrossfadePlan(from: track(1, bpm: 160), to: track(2, bpm: 81), options: Self.mixing)
        #expect(abs(try #require(half.mix).ratio - 80.0 / 81) < 1e-9)
    }

    @Test("Triple metre is mixed in bars of three; different metres share one bar")
    func metres() throws {
        let waltz = CrossfadePlan(from: track(1, bar: 3), to: track(2, bar: 3), options: Self.mixing)
        #expect(try #require(waltz.mix).beats == 24)
        let both = CrossfadePlan(from: track(1, bar: 4), to: track(2, bar: 3), options: Self.mixing)
        #expect(try #require(both.mix).beats == 4)
    }

    /// Bars of three that are halves of bars of six: phrases start with every second of them, of the outgoing track with the first, of the
    /// incoming one with the second.
    @Test("Short bars are taken in pairs if phrases start with every second one", arguments: [2, 3])
    func pairs(bar: Int) throws {
        let length = 0.5 * Double(bar)
        var outgoing = track(1, bar: bar)
        var incoming = track(2, bar: bar)
        incoming.phrases = incoming.phrases.map { .init(seconds: $0.seconds + length, confidence: 0.9) }
        for end in [198.0, 197.0, 196.0, 195.0] {
            outgoing.cueOutSeconds = end
            let plan = CrossfadePlan(from: outgoing, to: incoming, options: Self.mixing)
            #expect(try #require(plan.mix).beatsPerBar == bar)
            let bars = (plan.startSeconds - 0.2) / length
            #expect(abs(bars - bars.rounded()) < 1e-9 && Int(bars.rounded()) % 2 == 0)
            #expect(abs(plan.cueInSeconds - 0.2 - length) < 1e-9)
        }
        // A short mix may end in the middle of a pair.
        let short = CrossfadePlan(
            from: outgoing, to: incoming, options: .init(mode: .mix, maximumBeats: bar))
        #expect(try #require(short.mix).beats == bar)
        // Phrases that start with either bar, or are uncertain, say nothing.
        for (shift, confidence) in [(length, 0.9), (0, 0.2)] {
            incoming.phrases = [0.0, 48 * length].map { .init(seconds: 0.2 + $0, confidence: confidence) }
            if shift > 0 {
                incoming.phrases.append(.init(seconds: 0.2 + 25 * length, confidence: confidence))
            }
            let plan = CrossfadePlan(from: outgoing, to: incoming, options: Self.mixing)
            #expect(abs(plan.cueInSeconds - 0.2) < 1e-9)
        }
    }

    @Test("Distant keys, levels far apart and a short first phrase make the mix shorter; so does the user")
    func shorter() throws {
        let distant = CrossfadePlan(from: track(1), to: track(2, key: "2A"), options: Self.mixing)
        #expect(try #require(distant.mix).beats == 8)
        // The peak keeps the second track 6 LU below the target.
        let quiet = CrossfadePlan(
            from: track(1), to: track(2, loudness: -24, peak: -1.01), options: Self.mixing)
        #expect(try #require(quiet.mix).beats == 8)
        var early = track(2)
        early.phrases.insert(.init(seconds: 0.2 + 16 * 0.5, confidence: 0.8), at: 1)
        #expect(try #require(CrossfadePlan(from: track(1), to: early, options: Self.mixing).mix).beats == 16)
        early.phrases = []
        #expect(try #require(CrossfadePlan(from: track(1), to: early, options: Self.mixing).mix).beats == 16)
        let chosen = CrossfadePlan(
            from: track(1), to: track(2), options: .init(mode: .mix, maximumBeats: 8))
        #expect(try #require(chosen.mix).beats == 8)
    }

    @Test(
        "What cannot be mixed is crossfaded at the cue points, with the reason",
        arguments: [
            "tempi", "beats", "bars", "quiet ending", "quiet for a long time before its end",
            "quiet for a long time at its start",
        ])
    func fallbacks(reason: String) throws {
        var (from, to) = (track(1), track(2))
        switch reason {
        case "tempi": to = track(2, bpm: 134)
        case "beats": from.tempo?.beatConfidence = 0.39
        case "bars": to.tempo?.downbeatSeconds = []
        case "quiet ending": from.ending = .longTail
        case "quiet for a long time before its end":
            from.endRamp = [.init(levelDB: -8, seconds: 1), .init(levelDB: -3, seconds: 15)]
        default: to.startRamp = [.init(levelDB: -8, seconds: 1), .init(levelDB: -3, seconds: 15)]
        }
        let plan = CrossfadePlan(from: from, to: to, options: Self.mixing)
        #expect(plan.mix == nil && plan.transition == .overlap)
        #expect(try #require(plan.reason).contains(reason), "\(plan.reason ?? "")")
        #expect(abs(plan.overlapSeconds - 4) < 1e-9 && plan.endSeconds == 200)
        let fade = try #require(plan.incoming.fade)
        #expect(fade.curve == .equalPowerRise && fade.gain(atSeconds: plan.cueInSeconds) == 0)
        let fitting = CrossfadePlan(from: from, to: to, options: .init(mode: .mix, onlyWhenItFits: true))
        var crossfade = CrossfadePlan(from: from, to: to)
        crossfade.reason = fitting.reason
        #expect(fitting == crossfade, "only when it fits: the rules of crossfades")
    }

    @Test("A first or last section that is a little softer is mixed as if it were not")
    func softSections() throws {
        let usual = try #require(CrossfadePlan(from: track(1), to: track(2), options: Self.mixing).mix)
        var (from, to) = (track(1), track(2))
        let soft = [
            LevelRamp.Point(levelDB: -9, seconds: 0.1), .init(levelDB: -6, seconds: 0.2),
            .init(levelDB: -3, seconds: 30),
        ]
        (from.endRamp, to.startRamp) = (soft, soft)
        #expect(try #require(CrossfadePlan(from: from, to: to, options: Self.mixing).mix) == usual)
        // Fades that last 12 s, in a straight line.
        let fade = [-9.0, -6, -3].map { LevelRamp.Point(levelDB: $0, seconds: 12 * pow(10, $0 / 20)) }
        from.endRamp = fade
        #expect(CrossfadePlan(from: from, to: track(2), options: Self.mixing).mix == nil)
        to.startRamp = fade
        #expect(CrossfadePlan(from: track(1), to: to, options: Self.mixing).mix == nil)
    }

    @Test(
        "Albums stay gapless, also from disc to disc without silence; the modes off and gapless play whole files"
    )
    func gapless() {
        var (from, to) = (track(1), track(2))
        from.place = .init(albumID: 1, disc: 1, track: 9)
        to.place = .init(albumID: 1, disc: 1, track: 10)
        #expect(CrossfadePlan(from: from, to: to, options: Self.mixing).transition == .gapless)
        to.place = .init(albumID: 1, disc: 2, track: 1)
        let segue = CrossfadePlan(from: from, to: to, options: Self.mixing)
        #expect(segue.transition == .gapless && segue.startSeconds == 200 && segue.cueInSeconds == 0)
        from.cueOutSeconds = 199
        #expect(CrossfadePlan(from: from, to: to, options: Self.mixing).transition == .mix)
        for mode in [CrossfadePlan.Mode.off, .gapless] {
            let plan = CrossfadePlan(from: from, to: to, options: .init(mode: mode))
            #expect(plan.transition == .gapless && plan.startSeconds == 200 && plan.overlapSeconds == 0)
            #expect(plan.outgoing.fade == nil && plan.incoming.fade == nil)
        }
    }

    @Test(
        "Fades are just steep enough that peaks together stay below full scale, which costs 2 dB at most",
        arguments: [(-3.0, -22.0), (-1.0, -16.0), (-8.0, -18.0), (-1.0, -8.0)])
    func peaks(peak: Double, loudness: Double) throws {
        let from = track(1, loudness: loudness, peak: peak)
        let to = track(2, bpm: 123, loudness: -18, peak: -2.5)
        let plan = CrossfadePlan(from: from, to: to, options: Self.mixing)
        let (out, into) = (try #require(plan.outgoing.fade), try #require(plan.incoming.fade))
        let a = pow(10, (peak + plan.outgoing.gainDB) / 20)
        let b = pow(10, (-2.5 + plan.incoming.gainDB) / 20)
        var highest = 0.0
        var least = Double.infinity
        for step in 0...2_000 {
            let share = Double(step) / 2_000
            let gains = (
                out.gain(atSeconds: out.startSeconds + share * out.durationSeconds),
                into.gain(atSeconds: into.startSeconds + share * into.durationSeconds)
            )
            highest = max(highest, a * gains.0 + b * gains.1)
            least = min(least, gains.0 * gains.0 + gains.1 * gains.1)
        }
        let needsMore = hypot(a, b) > 1
        #expect(plan.mix != nil && (out.exponent != nil) == needsMore && out.exponent == into.exponent)
        // No steeper than necessary.
        #expect(abs(20 * log10(highest) - (plan.overlapPeakDBTP ?? 9)) < 0.001)
        #expect(needsMore ? abs(highest - 1) < 1e-4 : abs(least - 1) < 1e-9)
        #expect(10 * log10(least) > -2.02)
    }

    @Test("Where bars are not certain, at most eight beats are mixed, and the reason says so")
    func bars() throws {
        var to = track(2, bpm: 123)
        to.tempo?.barConfidence = 0.4
        let plan = CrossfadePlan(from: track(1), to: to, options: Self.mixing)
        #expect(try #require(plan.mix).beats == 8)
        #expect(try #require(plan.reason).contains("bars of a track are not certain"))
        to.tempo?.downbeatSeconds = []
        let unknown = CrossfadePlan(from: track(1), to: to, options: Self.mixing)
        #expect(unknown.mix == nil && unknown.reason?.contains("bars of a track are not known") == true)
    }

    @Test("Beats that do not keep together are not mixed")
    func irregular() throws {
        var random = SeededGenerator(seed: 5)
        var to = track(2)
        let beats = to.tempo?.beatSeconds.map { $0 + Double.random(in: -0.06...0.06, using: &random) } ?? []
        to.tempo?.beatSeconds = beats
        to.tempo?.downbeatSeconds = stride(from: 0, to: beats.count, by: 4).map { beats[$0] }
        let plan = CrossfadePlan(from: track(1), to: to, options: Self.mixing)
        if let mix = plan.mix { #expect(mix.largestOffsetSeconds <= 0.02) }
        #expect((plan.mix?.beats ?? 0) <= 4)
    }

    @Test("A beat that was found late at the start or end of a mix hardly moves it")
    func lateBeat() throws {
        let late = 0.012
        var (from, to) = (track(1), track(2, bpm: 123, first: 0.5))
        let plan = CrossfadePlan(from: from, to: to, options: Self.mixing)
        func delay(_ track: inout CrossfadeTrack, _ second: Double) throws {
            for beats in [\CrossfadeTrack.Tempo.beatSeconds, \.downbeatSeconds] {
                let times = try #require(track.tempo?[keyPath: beats])
                let index = try #require(times.firstIndex { abs($0 - second) < 1e-6 })
                track.tempo?[keyPath: beats][index] += late
            }
        }
        try delay(&from, plan.startSeconds)
        try delay(&to, plan.cueInSeconds)
        let moved = CrossfadePlan(from: from, to: to, options: Self.mixing)
        // The leverage of the first of 33 points on a line of least squares.
        let share = 1 / 33.0 + 3 * 32 / (33.0 * 34)
        #expect(abs(moved.startSeconds - plan.startSeconds - share * late) < 1e-9)
        #expect(abs(moved.cueInSeconds - plan.cueInSeconds - share * late) < 1e-9)
        // The last point moves the other way.
        let opposite = 1 / 33.0 - 3 * 32 / (33.0 * 34)
        #expect(abs(moved.endSeconds - plan.endSeconds - opposite * late) < 1e-9)
    }

    @Test("Hostile analyses neither trap nor leave the tracks", arguments: 0..<10)
    func hostile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = [0, -1, .infinity, -.infinity, .nan, 1e300, 0.2, 5, 100, 199]
        func number() -> Double { values.randomElement(using: &random) ?? 0 }
        for _ in 0..<200 {
            var (from, to) = (track(1), track(2))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: from.tempo?.beatSeconds = (0..<9).map { _ in number() }
            case 1: to.tempo?.beatSeconds = (0..<9).map { _ in number() }
            case 2: from.tempo?.downbeatSeconds = (0..<9).map { _ in number() }
            case 3: to.phrases = (0..<9).map { _ in .init(seconds: number(), confidence: number()) }
            case 4: from.tempo?.bpm = number()
            default: to.cueInSeconds = number()
            }
            let plan = CrossfadePlan(from: from, to: to, options: Self.mixing)
            guard let mix = plan.mix else { continue }
            #expect(plan.startSeconds >= 0 && plan.endSeconds <= 200.05 && plan.cueInSeconds >= 0)
            #expect(abs(mix.ratio - 1) <= 0.05 && mix.returnEndSeconds <= 200)
        }
    }

    @Test("The plan is the same after encoding and decoding")
    func coding() throws {
        let plan = CrossfadePlan(from: track(1), to: track(2, bpm: 123), options: Self.mixing)
        let data = try JSONEncoder().encode(plan)
        #expect(try JSONDecoder().decode(CrossfadePlan.self, from: data) == plan)
    }

    @Test("A pair is planned in less than a millisecond")
    func duration() {
        let (from, to) = (track(1, bpm: 180, seconds: 600), track(2, bpm: 178, seconds: 600))
        let times = (0..<50).map { _ in
            ProcessorTime.measure {
                #expect(CrossfadePlan(from: from, to: to, options: Self.mixing).mix != nil)
            }
        }
        #expect(times.sorted()[25] < .milliseconds(1))
    }
}
