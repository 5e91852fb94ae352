import Foundation

/// Synthetic 16-bit sound, reproducible between runs.
public struct PCM: Sendable {
    /// Samples per second.
    public let sampleRate: Int
    /// 1 or 2.
    public let channelCount: Int
    /// Interleaved samples.
    public var samples: [Int16]

    /// Creates sound from samples.
    public init(sampleRate: Int, channelCount: Int, samples: [Int16]) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.samples = samples
    }

    /// Samples per channel.
    public var frameCount: Int { samples.count / channelCount }

    /// Returns sound that resembles music for an encoder: decaying notes with harmonics, noise hits, quiet passages, and
    /// differing channels.
    public static func music(
        frameCount: Int, sampleRate: Int = 44_100, channelCount: Int = 2, seed: UInt64 = 1
    ) -> PCM {
        var random = SeededGenerator(seed: seed)
        var samples = [Int16](repeating: 0, count: frameCount * channelCount)
        let step = max(1, sampleRate / 4)
        for start in stride(from: 0, to: frameCount, by: step) {
            let pitch = 110 * exp2(Double(Int.random(in: 0..<36, using: &random)) / 12)
            let loudness = Double.random(in: 0.02...0.5, using: &random)
            let noise = Int.random(in: 0..<3, using: &random) == 0 ? loudness : loudness / 50
            let pan = Double.random(in: 0.2...0.8, using: &random)
            for i in 0..<min(step, frameCount - start) {
                let t = Double(i) / Double(sampleRate)
                var value = 0.0
                for harmonic in 1...4 where pitch * Double(harmonic) < Double(sampleRate) / 2 {
                    value += sin(2 * .pi * pitch * Double(harmonic) * t) / Double(harmonic)
                }
                value = value * loudness * exp(-4 * t) / 2
                value += Double.random(in: -1...1, using: &random) * noise * exp(-20 * t)
                for channel in 0..<channelCount {
                    let gain = channelCount == 1 ? 1 : channel == 0 ? pan : 1 - pan
                    let scaled = (value * gain * 32_767).rounded()
                    samples[(start + i) * channelCount + channel] = Int16(min(32_767, max(-32_768, scaled)))
                }
            }
        }
        return PCM(sampleRate: sampleRate, channelCount: channelCount, samples: samples)
    }

    /// The sound as a WAV file.
    public var wav: [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let byteCount = samples.count * 2
        var bytes = Array("RIFF".utf8) + little(36 + byteCount, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
        bytes += little(1, 2) + little(channelCount, 2) + little(sampleRate, 4)
        bytes += little(sampleRate * channelCount * 2, 4) + little(channelCount * 2, 2) + little(16, 2)
        bytes += Array("data".utf8) + little(byteCount, 4)
        bytes.reserveCapacity(bytes.count + byteCount)
        for sample in samples {
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return bytes
    }
}
