import Foundation

/// Measurements of rendered mixes; mono, 48 kHz.
enum MixMeter {
    /// A filter of second order in direct form I.
    struct Biquad {
        var b0: Double
        var b1: Double
        var b2: Double
        var a1: Double
        var a2: Double

        func filter(_ input: [Float]) -> [Float] {
            var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
            return input.map { sample in
                let x = Double(sample)
                let y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
                (x2, x1, y2, y1) = (x1, x, y1, y)
                return Float(y)
            }
        }
    }

    /// The K-weighting of BS.1770, annex 1, tables 1 and 2 (48 kHz).
    static func weighted(_ samples: [Float]) -> [Float] {
        let shelf = Biquad(
            b0: 1.53512485958697, b1: -2.69169618940638, b2: 1.19839281085285, a1: -1.69065929318241,
            a2: 0.73248077421585)
        let highPass = Biquad(b0: 1, b1: -2, b2: 1, a1: -1.99004745483398, a2: 0.99007225036621)
        return highPass.filter(shelf.filter(samples))
    }

    /// The sound below 150 Hz: a Butterworth filter of fourth order.
    static func bass(_ samples: [Float]) -> [Float] {
        let angle = 2 * Double.pi * 150 / 48_000
        var output = samples
        for quality in [0.541196100146197, 1.30656296487638] {
            let alpha = sin(angle) / (2 * quality)
            let a0 = 1 + alpha
            let b = (1 - cos(angle)) / 2 / a0
            output = Biquad(b0: b, b1: 2 * b, b2: b, a1: -2 * cos(angle) / a0, a2: (1 - alpha) / a0)
                .filter(output)
        }
        return output
    }

    /// Mean power in dB of windows.
    static func levels(_ samples: [Float], window: Int, step: Int) -> [Double] {
        stride(from: 0, through: samples.count - window, by: step).map { start in
            let power = samples[start..<start + window].reduce(0.0) { $0 + Double($1 * $1) } / Double(window)
            return 10 * log10(power + 1e-12)
        }
    }

    /// Loudness of steady sound in LUFS, without gates.
    static func loudness(_ samples: [Float]) -> Double {
        let levels = levels(weighted(samples), window: max(1, samples.count), step: max(1, samples.count))
        return -0.691 + (levels.first ?? -120)
    }

    /// Short-term loudness (3 s) every 0.1 s, in LUFS.
    static func shortTerm(_ samples: [Float]) -> [Double] {
        levels(weighted(samples), window: 144_000, step: 4_800).map { $0 - 0.691 }
    }

    /// Largest second difference: high where the sound or its slope jumps.
    static func roughness(_ samples: [Float]) -> Float {
        var largest: Float = 0
        for index in 2..<max(2, samples.count) {
            largest = max(largest, abs(samples[index] - 2 * samples[index - 1] + samples[index - 2]))
        }
        return largest
    }
}
