import Foundation

/// Samples of one channel, made by arithmetic so that what they measure to is known.
public struct Signal: Sendable {
    /// Sample rate in Hz.
    public var sampleRate: Double
    /// Samples, full scale is ±1.
    public var samples: [Float]

    /// An empty signal.
    public init(sampleRate: Double) {
        self.sampleRate = sampleRate
        samples = []
    }

    /// Length in seconds.
    public var seconds: Double { Double(samples.count) / sampleRate }

    /// Appends silence.
    public func silence(_ seconds: Double) -> Signal {
        appending(seconds) { _ in 0 }
    }

    /// Appends a sine.
    /// - Parameters:
    ///   - peakDB: level of the peak in dBFS.
    ///   - degrees: phase of the first sample.
    public func sine(_ hertz: Double, peakDB: Double, _ seconds: Double, degrees: Double = 0) -> Signal {
        let amplitude = pow(10, peakDB / 20)
        let rate = sampleRate
        return appending(seconds) {
            amplitude * sin(2 * .pi * hertz * Double($0) / rate + degrees * .pi / 180)
        }
    }

    /// Appends white noise of uniform distribution from a seeded generator.
    public func noise(peakDB: Double, _ seconds: Double, seed: UInt64 = 1) -> Signal {
        let amplitude = pow(10, peakDB / 20)
        var generator = SeededGenerator(seed: seed)
        return appending(seconds) { _ in amplitude * Double.random(in: -1...1, using: &generator) }
    }

    /// Appends what a function gives for each sample number.
    public func appending(_ seconds: Double, _ value: (Int) -> Double) -> Signal {
        var result = self
        let count = Int((seconds * sampleRate).rounded())
        result.samples.append(contentsOf: (0..<count).map { Float(value($0)) })
        return result
    }

    /// Appends another signal of the same rate.
    public func followed(by other: Signal) -> Signal {
        var result = self
        result.samples.append(contentsOf: other.samples)
        return result
    }

    /// The signal under an envelope: `gain` gets the time in seconds.
    public func shaped(_ gain: (Double) -> Double) -> Signal {
        var result = self
        for index in samples.indices { result.samples[index] *= Float(gain(Double(index) / sampleRate)) }
        return result
    }
}
