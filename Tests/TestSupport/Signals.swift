import Foundation

/// Computed samples of one channel with known measurements.
public struct Signal: Sendable {
    /// Sample rate in Hz.
    public var sampleRate: Double
    /// Samples; full scale is ±1.
    public var samples: [Float]

    /// Creates an empty signal.
    public init(sampleRate: Double) {
        self.sampleRate = sampleRate
        samples = []
    }

    /// Duration in seconds.
    public var seconds: Double { Double(samples.count) / sampleRate }

    /// Returns the signal with silence appended.
    public func silence(_ seconds: Double) -> Signal {
        appending(seconds) { _ in 0 }
    }

    /// Returns the signal with a sine appended.
    /// - Parameters:
    ///   - peakDB: peak level in dBFS.
    ///   - degrees: phase of the first sample.
    public func sine(_ hertz: Double, peakDB: Double, _ seconds: Double, degrees: Double = 0) -> Signal {
        let amplitude = pow(10, peakDB / 20)
        let rate = sampleRate
        return appending(seconds) {
            amplitude * sin(2 * .pi * hertz * Double($0) / rate + degrees * .pi / 180)
        }
    }

    /// Returns the signal with uniform white noise from a seeded generator appended.
    public func noise(peakDB: Double, _ seconds: Double, seed: UInt64 = 1) -> Signal {
        let amplitude = pow(10, peakDB / 20)
        var generator = SeededGenerator(seed: seed)
        return appending(seconds) { _ in amplitude * Double.random(in: -1...1, using: &generator) }
    }

    /// Returns the signal with values of a function of the sample index appended.
    public func appending(_ seconds: Double, _ value: (Int) -> Double) -> Signal {
        var result = self
        let count = Int((seconds * sampleRate).rounded())
        result.samples.append(contentsOf: (0..<count).map { Float(value($0)) })
        return result
    }

    /// Returns the signal with another one of the same rate appended.
    public func followed(by other: Signal) -> Signal {
        var result = self
        result.samples.append(contentsOf: other.samples)
        return result
    }

    /// Returns the signal multiplied by an envelope; `gain` receives the time in seconds.
    public func shaped(_ gain: (Double) -> Double) -> Signal {
        var result = self
        for index in samples.indices { result.samples[index] *= Float(gain(Double(index) / sampleRate)) }
        return result
    }
}
