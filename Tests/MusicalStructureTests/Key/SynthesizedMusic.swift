import Analyzer
import MusicalStructure
import Foundation
import TestSupport

/// Chords and scales in a known key, synthesised with overtones.
struct SynthesizedMusic {
    /// Returns the seven degrees of a scale in semitones above the tonic.
    static func scale(_ mode: MusicalKey.Mode) -> [Int] {
        mode == .major ? [0, 2, 4, 5, 7, 9, 11] : [0, 2, 3, 5, 7, 8, 10]
    }

    /// Returns the triads of a cadence: I vi IV V I, or i VI iv V i with the raised leading tone.
    static func cadence(_ mode: MusicalKey.Mode) -> [[Int]] {
        mode == .major
            ? [[0, 4, 7], [9, 12, 16], [5, 9, 12], [7, 11, 14], [0, 4, 7]]
            : [[0, 3, 7], [8, 12, 15], [5, 8, 12], [7, 11, 14], [0, 3, 7]]
    }

    let sampleRate: Double
    /// Tuning in cents above A = 440 Hz.
    var cents = 0.0
    /// Amplitudes of the overtones, starting with the fundamental.
    var overtones = [1, 0.5, 0.33, 0.25, 0.2, 0.16]
    private var samples: [Float] = []

    init(sampleRate: Double, cents: Double = 0) {
        self.sampleRate = sampleRate
        self.cents = cents
    }

    /// Returns a cadence played twice, with bass, a second per chord.
    func chords(tonic: Int, mode: MusicalKey.Mode) -> [Float] {
        progression(tonic: tonic, Self.cadence(mode) + Self.cadence(mode))
    }

    /// Returns triads, in semitones above the tonic, with bass, a second each.
    func progression(tonic: Int, _ triads: [[Int]]) -> [Float] {
        var music = self
        for triad in triads {
            music.play(triad.map { 60 + tonic + $0 } + [36 + tonic + triad[0] % 12], seconds: 1)
        }
        return music.samples
    }

    /// Returns the scale up and down, ending on the held tonic; over a drone of tonic and fifth.
    func scale(tonic: Int, mode: MusicalKey.Mode) -> [Float] {
        var music = self
        let up = Self.scale(mode) + [12]
        for degree in up + up.reversed() {
            music.play([60 + tonic + degree, 48 + tonic, 55 + tonic], seconds: 0.25)
        }
        music.play([60 + tonic, 48 + tonic, 55 + tonic], seconds: 1)
        return music.samples
    }

    /// Adds decaying notes by MIDI number, played together.
    private mutating func play(_ notes: [Int], seconds: Double) {
        let count = Int(seconds * sampleRate)
        var mix = [Float](repeating: 0, count: count)
        for note in notes {
            let hertz = 440 * exp2((Double(note - 69) + cents / 100) / 12)
            let wave = Self.table(overtones, below: sampleRate / 2 / hertz)
            let step = hertz / sampleRate * Double(wave.count)
            var phase = 0.0
            for i in 0..<count {
                mix[i] += wave[Int(phase)] * Float(1 - 0.7 * Double(i) / Double(count))
                phase += step
                if phase >= Double(wave.count) { phase -= Double(wave.count) }
            }
        }
        samples += mix
    }

    private static func table(_ overtones: [Double], below limit: Double) -> [Float] {
        (0..<1024).map { i in
            let angle = 2 * Double.pi * Double(i) / 1024
            let audible = overtones.enumerated().filter { Double($0.offset + 1) < limit }
            return Float(audible.reduce(0) { $0 + $1.element * sin(angle * Double($1.offset + 1)) } * 0.1)
        }
    }

    /// Returns drum hits: noise bursts four times per second, with a falling thump on every other one.
    static func drums(count: Int, sampleRate: Double, level: Float) -> [Float] {
        var random = SeededGenerator(seed: 5)
        let beat = Int(sampleRate / 4)
        return (0..<count).map { i in
            let t = Double(i % beat) / sampleRate
            let hiss = Float.random(in: -1...1, using: &random) * Float(exp(-30 * t))
            let thump =
                (i / beat).isMultiple(of: 2)
                ? sin(2 * .pi * (50 * t + 3 * (1 - exp(-25 * t)))) * exp(-12 * t) : 0
            return level * (hiss + 2 * Float(thump))
        }
    }
}
