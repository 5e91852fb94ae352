@testable import Analyzer
import Foundation

/// Signals without a pulse: what the refusal must not mistake for one.
enum Probe {
    static func run() {
        for seconds in [4.0, 8, 20, 60, 240] {
            var worst = 0.0
            for seed in 0..<20 {
                var g = SeededNoise(state: UInt64(seed * 977 + Int(seconds)))
                let mono = (0..<Int(seconds * 44100)).map { _ in 0.2 * g.next() }
                worst = max(worst, show(mono).0 * (Double(mono.count) / 735).squareRoot())
            }
            print("noise", seconds, "max clarity*sqrt(n)", worst)
        }
        for (i, f) in [[220.0, 277.18, 329.63], [110, 220, 440], [1000], [261.6, 329.6, 392, 523.3], [55, 82.4]].enumerated() {
            let mono = (0..<44100 * 20).map { n in f.reduce(Float(0)) { $0 + 0.1 * Float(sin(2 * .pi * $1 * Double(n) / 44100)) } }
            print("pad", i, show(mono))
        }
    }
    static func show(_ mono: [Float]) -> (Double, Double, Double) {
        var envelope = OnsetEnvelope(sampleRate: 44100, fftSize: 1024, framesPerSecond: 60)
        TempoLab.spectra(mono) { envelope.consume(power: $0) }
        let p = PulsePeriodicity(groups: envelope.groups(), framesPerSecond: 60)
        let m = TempoModel(p)
        return (p.clarity(bpm: m.bpm), envelope.strength, m.bpm)
    }
}
private struct SeededNoise {
    var state: UInt64
    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}
