internal import Foundation

/// Changes the speed of audio and keeps its pitch, by waveform-similarity overlap-add (W. Verhelst and M. Roelands, "An overlap-add
/// technique based on waveform similarity", ICASSP 1993).
///
/// Each output window is taken from near its nominal position in the input, where it continues the previous window best. No window is
/// farther than 6 ms from its nominal position, so beats stay in time, and deviations do not add up.
public struct TimeStretcher: Sendable {
    /// Distance of the windows in seconds; they are twice as long.
    private static let hopSeconds = 0.02
    /// Largest deviation from the nominal position in seconds: half a period of 83 Hz.
    private static let searchSeconds = 0.006
    /// Samples between those that are compared in the coarse search.
    private static let coarseStep = 4

    /// Number of samples per channel between two windows.
    public let hop: Int
    private let search: Int
    private let channelCount: Int
    private let window: [Float]

    /// Creates a stretcher for interleaved samples.
    public init(sampleRate: Int, channelCount: Int) {
        hop = max(8, Int(Double(sampleRate) * Self.hopSeconds))
        search = max(1, Int(Double(sampleRate) * Self.searchSeconds))
        self.channelCount = max(1, channelCount)
        let length = 2 * hop
        window = (0..<length).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(length))) }
    }

    /// Renders audio at a variable speed.
    /// - Parameters:
    ///   - input: interleaved samples; silence is read outside them.
    ///   - count: number of samples per channel to render.
    ///   - position: the position in the input, in samples, that belongs to an output sample.
    /// - Returns: interleaved samples.
    public func render(_ input: [Float], count: Int, position: (Int) -> Double) -> [Float] {
        guard count > 0 else { return [] }
        let mono = mixed(input)
        var output = [Float](repeating: 0, count: count * channelCount)
        var previous: Int?
        // Windows are centred at multiples of the hop; the first one is before the output.
        for centre in stride(from: 0, through: count + hop, by: hop) {
            let nominal = Int(max(-1e12, min(1e12, position(centre))).rounded()) - hop
            let chosen = previous.map { bestMatch(of: $0 + hop, near: nominal, in: mono) } ?? nominal
            previous = chosen
            add(input, from: chosen, to: &output, at: centre - hop, count: count)
        }
        return output
    }

    private func mixed(_ input: [Float]) -> [Float] {
        guard channelCount > 1 else { return input }
        return (0..<input.count / channelCount).map { index in
            var sum: Float = 0
            for channel in 0..<channelCount { sum += input[index * channelCount + channel] }
            return sum
        }
    }

    private func add(_ input: [Float], from source: Int, to output: inout [Float], at target: Int, count: Int)
    {
        let frames = input.count / channelCount
        let first = max(0, -target, -source)
        let last = min(2 * hop, count - target, frames - source)
        guard first < last else { return }
        for index in first..<last {
            for channel in 0..<channelCount {
                output[(target + index) * channelCount + channel] +=
                    window[index] * input[(source + index) * channelCount + channel]
            }
        }
    }

    /// Returns the start near a nominal one from which the audio resembles that from `wanted` most.
    private func bestMatch(of wanted: Int, near nominal: Int, in mono: [Float]) -> Int {
        let length = 2 * hop
        guard abs(wanted - nominal) > 0 else { return nominal }
        guard nominal >= search, wanted >= 0, nominal + search + length <= mono.count,
            wanted + length <= mono.count
        else { return nominal }
        // The natural continuation is as similar as can be.
        if abs(wanted - nominal) <= 1 { return wanted }
        let coarse = best(
            stride(from: nominal - search, through: nominal + search, by: Self.coarseStep), wanted, mono,
            step: Self.coarseStep)
        let low = max(nominal - search, coarse - Self.coarseStep)
        let high = min(nominal + search, coarse + Self.coarseStep)
        return best(stride(from: low, through: high, by: 1), wanted, mono, step: 1)
    }

    private func best(_ starts: StrideThrough<Int>, _ wanted: Int, _ mono: [Float], step: Int) -> Int {
        var best = (start: wanted, value: -Float.infinity)
        mono.withUnsafeBufferPointer { mono in
            for start in starts {
                var product: Float = 0
                var energy: Float = 1e-9
                var index = 0
                while index < 2 * hop {
                    let sample = mono[start + index]
                    product += sample * mono[wanted + index]
                    energy += sample * sample
                    index += step
                }
                let value = product / energy.squareRoot()
                if value > best.value { best = (start, value) }
            }
        }
        return best.start
    }
}
