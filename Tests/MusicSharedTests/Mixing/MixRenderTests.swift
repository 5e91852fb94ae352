import Foundation
import TestSupport
import Testing

@testable import MusicShared

/// Rendered mixes of songs whose beats are known.
@Suite("Mix renderer", .timeLimit(.minutes(10)))
struct MixRenderTests {
    private static let rate = SyntheticSong.sampleRate
    private static let mixing = CrossfadePlan.Options(mode: .mix)
    /// Pairs of songs: as many as `MIX_PAIRS` says, 12 by default.
    private static let pairs =
        0..<(ProcessInfo.processInfo.environment["MIX_PAIRS"].flatMap(UInt64.init) ?? 12)

    /// Two songs of similar tempo, and the mix.
    private struct Pair {
        let from: SyntheticSong
        let to: SyntheticSong
        let outgoing: [Float]
        let incoming: [Float]
        let plan: CrossfadePlan

        init(seed: UInt64, hasDrums: Bool = true) {
            var random = SeededGenerator(seed: seed)
            let bpm = Double.random(in: 70...180, using: &random)
            let metre = [3, 4, 6][Int(seed % 3)]
            let number = Int.random(in: 1...12, using: &random)
            from = SyntheticSong(
                bpm: bpm, beatsPerBar: metre,
                key: CamelotKey(number: number, isMajor: Bool.random(using: &random)),
                firstBeat: Double.random(in: 0.02...0.5, using: &random), seed: seed, hasDrums: hasDrums)
            to = SyntheticSong(
                bpm: bpm * Double.random(in: 0.96...1.04, using: &random), beatsPerBar: metre,
                key: CamelotKey(number: number + Int.random(in: 0...2, using: &random), isMajor: false),
                firstBeat: Double.random(in: 0.02...0.5, using: &random), seed: seed + 99, hasDrums: hasDrums)
            outgoing = from.samples()
            incoming = to.samples()
            plan = CrossfadePlan(
                from: from.track(id: 1, samples: outgoing), to: to.track(id: 2, samples: incoming),
                options: MixRenderTests.mixing)
        }

        func render(outgoing: [Float]? = nil, incoming: [Float]? = nil) -> [Float] {
            MixRenderer(plan: plan, sampleRate: MixRenderTests.rate, channelCount: 1).render(
                outgoing: .init(startSeconds: 0, samples: outgoing ?? self.outgoing),
                incoming: .init(startSeconds: 0, samples: incoming ?? self.incoming),
                leadSeconds: 6, tailSeconds: 6)
        }
    }

    @Test(
        "Loudness stays within 2 LU of both tracks, and the bass within 1 dB of the louder one",
        arguments: pairs)
    func levels(seed: UInt64) throws {
        let pair = Pair(seed: UInt64(seed))
        #expect(pair.plan.mix != nil, "\(pair.plan.reason ?? "")")
        let mix = pair.render()
        let loudness = MixMeter.shortTerm(mix)
        let ends = [try #require(loudness.first), try #require(loudness.last)].sorted()
        let (highest, lowest) = (try #require(loudness.max()), try #require(loudness.min()))
        #expect(highest - ends[1] <= 2)
        #expect(ends[0] - lowest <= 2)
        // Both tracks alone without fades and shelves.
        var bare = pair.plan
        bare.outgoing.fade = nil
        bare.outgoing.bass = nil
        bare.incoming.fade = nil
        bare.incoming.bass = nil
        let renderer = MixRenderer(plan: bare, sampleRate: Self.rate, channelCount: 1)
        let bar = Int(Double(pair.from.beatsPerBar) * 60 / pair.from.bpm * Double(Self.rate))
        let alone = [(pair.outgoing, []), ([], pair.incoming)].map { outgoing, incoming in
            MixMeter.levels(
                MixMeter.bass(
                    renderer.render(
                        outgoing: .init(startSeconds: 0, samples: outgoing),
                        incoming: .init(startSeconds: 0, samples: incoming), leadSeconds: 6, tailSeconds: 6)),
                window: bar, step: bar / 4)
        }
        let together = MixMeter.levels(MixMeter.bass(mix), window: bar, step: bar / 4)
        for (index, level) in together.enumerated() {
            #expect(level <= max(alone[0][index], alone[1][index]) + 1)
        }
    }

    @Test("Strokes on the beats of both tracks sound together through the whole mix", arguments: pairs)
    func beats(seed: UInt64) throws {
        let pair = Pair(seed: UInt64(seed), hasDrums: false)
        let mix = try #require(pair.plan.mix)
        let out = strokes(pair.render(outgoing: clicks(pair.from), incoming: []))
        let into = strokes(pair.render(outgoing: [], incoming: clicks(pair.to)))
        let span = 6.0...6 + pair.plan.overlapSeconds - 0.03
        let expected = out.filter { span.contains($0) && $0 > 6.3 }
        let found = into.filter { span.contains($0) && $0 > 6.3 }
        #expect(found.count >= mix.beats / 2)
        let offsets = found.map { time in expected.map { abs($0 - time) }.min() ?? 1 }.sorted()
        #expect(
            try #require(offsets.isEmpty ? nil : offsets[(offsets.count * 95 - 1) / 100]) <= 0.01,
            "\(offsets)")
        #expect(pair.from.downbeats.contains { abs($0 - pair.plan.startSeconds) < 1e-6 })
        #expect(pair.to.downbeats.contains { abs($0 - pair.plan.cueInSeconds) < 1e-6 })
    }

    /// Short strokes on the beats of a song.
    private func clicks(_ song: SyntheticSong) -> [Float] {
        var output = [Float](repeating: 0, count: Int(song.seconds) * Self.rate)
        for beat in song.beats {
            let first = Int((beat * Double(Self.rate)).rounded())
            for index in 0..<240 where first + index < output.count {
                output[first + index] = Float(exp(-Double(index) / 60) * sin(2 * .pi * Double(index) / 24))
            }
        }
        return output
    }

    /// Times at which strokes start: where the level exceeds a tenth of the maximum of the neighbourhood after silence.
    private func strokes(_ samples: [Float]) -> [Double] {
        var times: [Double] = []
        let largest = samples.map(abs).max() ?? 0
        for index in samples.indices where abs(samples[index]) > largest / 20 {
            let time = Double(index) / Double(Self.rate)
            if time - (times.last ?? -1) > 0.15 { times.append(time) }
        }
        return times
    }

    @Test("Mixes have no clicks; a planted one is found", arguments: pairs)
    func clicks(seed: UInt64) {
        let pair = Pair(seed: UInt64(seed), hasDrums: false)
        #expect(pair.plan.mix != nil)
        var mix = pair.render()
        let gains = [pair.plan.outgoing.gainDB, pair.plan.incoming.gainDB].map { Float(pow(10, $0 / 20)) }
        let limit =
            MixMeter.roughness(pair.outgoing) * gains[0] + MixMeter.roughness(pair.incoming) * gains[1]
        #expect(MixMeter.roughness(mix) <= limit)
        mix[mix.count / 2] += 0.02
        #expect(MixMeter.roughness(mix) > limit)
    }

    @Test("At its own speed, a stretched track is unchanged bit for bit but for rounding")
    func identity() {
        let song = SyntheticSong(bpm: 120, seconds: 5).samples()
        let same = TimeStretcher(sampleRate: Self.rate, channelCount: 1).render(
            song, count: song.count - 4000
        ) { Double($0) }
        let worst = zip(same, song).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 1e-5)
    }

    @Test("A stretched tone keeps its pitch and level", arguments: [0.95, 0.98, 1.03, 1.05])
    func tone(ratio: Double) throws {
        let input = (0..<5 * Self.rate).map {
            Float(0.5 * sin(2 * .pi * 440 * Double($0) / Double(Self.rate)))
        }
        let output = TimeStretcher(sampleRate: Self.rate, channelCount: 1)
            .render(input, count: 4 * Self.rate) { Double($0) * ratio }
        let part = output[Self.rate..<3 * Self.rate]
        let crossings = zip(part, part.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(Double(crossings) / 2 - 440) <= 1)
        let power = part.reduce(0.0) { $0 + Double($1 * $1) } / Double(part.count)
        #expect(abs(10 * log10(power / 0.125)) < 0.2)
    }

    @Test(
        "Strokes in a stretched tone start where the speed says, to 2.5 ms: windows may be 6 ms off elsewhere",
        arguments: [0.95, 0.97, 1.02, 1.05])
    func starts(ratio: Double) {
        let rate = Double(Self.rate)
        var input = (0..<Self.rate * 10).map { Float(0.1 * sin(2 * .pi * 220 * Double($0) / rate)) }
        let period = 0.437
        for stroke in 1..<22 {
            let first = Int(Double(stroke) * period * rate)
            for index in 0..<480 {
                let tone = sin(2 * .pi * Double(index) / 16)
                input[first + index] += Float(0.5 * exp(-Double(index) / 60) * tone)
            }
        }
        let output = TimeStretcher(sampleRate: Self.rate, channelCount: 1)
            .render(input, count: Self.rate * 8) { Double($0) * ratio }
        // Second differences leave the strokes, but not the tone.
        let sharp = zip(zip(output, output.dropFirst()), output.dropFirst(2)).map { $0.0 - 2 * $0.1 + $1 }
        let found = strokes(sharp)
        #expect(found.count == Int(8 * ratio / period))
        for (number, time) in found.enumerated() {
            #expect(abs(time - Double(number + 1) * period / ratio) < 0.0025)
        }
    }

    @Test("The shelf has its gain far below the corner, half of it in dB at the corner, and none far above")
    func shelf() {
        for (hertz, expected) in [(5.0, -24.0), (120, -12), (4000, 0)] {
            var shelf = LowShelf(hertz: 120, sampleRate: Self.rate, channelCount: 1)
            shelf.setGain(-24)
            let output = (0..<6 * Self.rate).map { index in
                shelf.filter(Float(sin(2 * .pi * hertz * Double(index) / Double(Self.rate))), channel: 0)
            }
            let power =
                output.suffix(2 * Self.rate).reduce(0.0) { $0 + Double($1 * $1) } / Double(2 * Self.rate)
            #expect(abs(10 * log10(2 * power) - expected) < 0.2, "\(hertz) Hz")
        }
    }

    @Test("The speed returns to 1 where the plan says")
    func speed() throws {
        let pair = Pair(seed: 3)
        let mix = try #require(pair.plan.mix)
        let curve = SpeedCurve(pair.plan)
        #expect(abs(curve.position(afterSeconds: pair.plan.overlapSeconds) - mix.returnStartSeconds) < 1e-9)
        #expect(abs(curve.position(afterSeconds: curve.endSeconds) - mix.returnEndSeconds) < 1e-9)
        let later = curve.position(afterSeconds: curve.endSeconds + 1)
        #expect(abs(later - mix.returnEndSeconds - 1) < 1e-9)
    }
}
