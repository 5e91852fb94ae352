import Foundation

@testable import Analyzer
@testable import MusicalStructure

/// Audio for tempo tests: silence with sounds added at exact times.
struct TempoSignal {
    static let sampleRate = 44_100.0
    static let framesPerSecond = 60.0

    private(set) var samples: [Float]
    private var random = SplitMix64(state: 1)

    init(seconds: Double) {
        samples = [Float](repeating: 0, count: Int(seconds * Self.sampleRate))
    }

    /// Adds a decaying tone burst at `seconds`, like a drum or a click.
    mutating func addTone(
        at seconds: Double, frequency: Double, amplitude: Float = 0.5, decaySeconds: Double = 0.02
    ) {
        let start = Int((seconds * Self.sampleRate).rounded())
        for i in 0..<Int(6 * decaySeconds * Self.sampleRate) where samples.indices.contains(start + i) {
            let t = Double(i) / Self.sampleRate
            samples[start + i] += amplitude * Float(exp(-t / decaySeconds) * sin(2 * .pi * frequency * t))
        }
    }

    /// Adds a burst of noise, like a hi-hat.
    mutating func addHat(at seconds: Double, amplitude: Float = 0.2, decaySeconds: Double = 0.01) {
        let start = Int((seconds * Self.sampleRate).rounded())
        var last: Float = 0
        for i in 0..<Int(6 * decaySeconds * Self.sampleRate) where samples.indices.contains(start + i) {
            let noise = random.nextFloat()
            // The difference of neighbouring samples removes low frequencies.
            samples[start + i] +=
                amplitude * Float(exp(-Double(i) / Self.sampleRate / decaySeconds)) * (noise - last)
            last = noise
        }
    }

    /// Adds white noise to the whole signal.
    mutating func addNoise(amplitude: Float) {
        for i in samples.indices { samples[i] += amplitude * random.nextFloat() }
    }

    /// Adds a held chord with constant loudness.
    mutating func addPad(frequencies: [Double], amplitude: Float = 0.1) {
        for i in samples.indices {
            let t = Double(i) / Self.sampleRate
            for frequency in frequencies { samples[i] += amplitude * Float(sin(2 * .pi * frequency * t)) }
        }
    }

    /// Computes the envelope with the spectra of the analysis.
    func envelope() -> OnsetEnvelope {
        let analyzer = SpectrumAnalyzer(sampleRate: Self.sampleRate, framesPerSecond: Self.framesPerSecond)
        var envelope = OnsetEnvelope(
            sampleRate: Self.sampleRate, fftSize: analyzer.fftSize, framesPerSecond: Self.framesPerSecond)
        samples.withUnsafeBufferPointer { samples in
            envelope.consume(samples: samples)
            analyzer.consume(samples) { envelope.consume(power: $1) }
        }
        analyzer.finish { envelope.consume(power: $1) }
        return envelope
    }

    /// Returns clicks at a constant tempo.
    static func clicks(bpm: Double, seconds: Double = 24, firstBeat: Double = 0.4) -> TempoSignal {
        var signal = TempoSignal(seconds: seconds)
        var time = firstBeat
        while time < seconds - 0.1 {
            signal.addTone(at: time, frequency: 1000)
            time += 60 / bpm
        }
        return signal
    }
}

/// A small seeded generator, so that noise is reproducible.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a uniform value in −1…1.
    mutating func nextFloat() -> Float { Float(Int32(truncatingIfNeeded: next() >> 32)) / 2_147_483_648 }
}
