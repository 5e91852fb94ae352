import Foundation
import TestSupport

/// Generated tracks with known fades and beats.
enum GeneratedTracks {
    static let rate = 44_100

    /// Returns mono audio from a function of time in seconds, ±1.
    static func sound(_ seconds: Double, _ value: (Double) -> Double) -> PCM {
        PCM(
            sampleRate: rate, channelCount: 1,
            samples: (0..<Int(seconds * Double(rate))).map {
                Int16((max(-1, min(1, value(Double($0) / Double(rate)))) * 32_767).rounded())
            })
    }

    /// Returns deterministic noise with almost constant momentary loudness.
    static func noise(_ seconds: Double, seed: UInt64, gain: (Double) -> Double = { _ in 1 }) -> PCM {
        var random = SeededGenerator(seed: seed)
        return sound(seconds) { 0.3 * gain($0) * Double.random(in: -1...1, using: &random) }
    }

    /// Returns drum hits over a quiet chord: beats at `first + k · 60 / bpm`.
    static func beats(
        _ seconds: Double, bpm: Double, first: Double, gain: @escaping (Double) -> Double = { _ in 1 }
    ) -> PCM {
        let period = 60 / bpm
        return sound(seconds) { time in
            let since = time - first
            let phase = since - (since / period).rounded(.down) * period
            let drum = since < 0 ? 0 : 0.8 * exp(-phase / 0.03) * sin(2 * .pi * 180 * phase)
            let chord = 0.02 * (sin(2 * .pi * 220 * time) + sin(2 * .pi * 277.18 * time))
            return gain(time) * (drum + chord)
        }
    }

    /// Returns loud, ringing strokes with rests in between: peaks far above the loudness.
    static func strokes(_ seconds: Double, hertz: Double, gain: @escaping (Double) -> Double = { _ in 1 })
        -> PCM
    {
        sound(seconds) { time in
            let phase = time - time.rounded(.down)
            return gain(time) * 0.9 * exp(-phase / 0.15) * cos(2 * .pi * hertz * phase)
        }
    }

    static func mp3(_ pcm: PCM, _ tags: [String] = []) throws -> [UInt8] {
        try Encoders.lame(pcm, ["-b", "160"] + tags)
    }
}
