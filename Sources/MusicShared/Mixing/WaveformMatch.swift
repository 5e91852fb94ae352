internal import Foundation

/// Finds where in a track a window continues the last one best, for ``TimeStretcher`` and ``StretchStream``.
struct WaveformMatch: Sendable {
    /// Distance of the windows in seconds; they are twice as long.
    private static let hopSeconds = 0.02
    /// Largest deviation from the nominal position in seconds: half a period of 83 Hz.
    private static let searchSeconds = 0.006
    /// Samples between those that are compared in the coarse search.
    private static let coarseStep = 4
    /// How much the largest deviation counts against the likeness, which is 1 at most: in steady sound, and more the more a note starts
    /// in the window. A worse match is not heard there, but a start that is early or late is.
    private static let deviationWeight = (steady: 0.3, start: 50.0)
    /// Difference in samples up to which a window counts as one hop after the last: the input has its own speed.
    private static let ownSpeed = 1e-3

    /// Number of samples per channel between two windows.
    let hop: Int
    /// Largest deviation from the nominal position in samples.
    let search: Int

    init(sampleRate: Int) {
        hop = max(8, Int(Double(sampleRate) * Self.hopSeconds))
        search = max(1, Int(Double(sampleRate) * Self.searchSeconds))
    }

    /// The windows' shape: a raised cosine, whose halves add up to 1.
    var window: [Float] {
        (0..<2 * hop).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(2 * hop))) }
    }

    /// Returns the start of the next window.
    /// - Parameters:
    ///   - place: position in the track of the window's centre, in samples.
    ///   - last: the same of the last window, and its start; nil for the first window.
    ///   - mono: the sum of all channels; its first sample has the position `first`.
    func next(
        at place: Double, after last: (place: Double, start: Int)?, in mono: [Float], from first: Int = 0
    ) -> Int {
        let nominal = Self.sample(place) - hop
        guard let last else { return nominal }
        let wanted = last.start + hop
        if abs(place - last.place - Double(hop)) < Self.ownSpeed { return wanted }
        return bestMatch(of: wanted, near: nominal, in: mono, from: first)
    }

    /// Returns the sum of all channels of interleaved samples.
    static func mono(_ samples: UnsafeBufferPointer<Float>, channelCount: Int) -> [Float] {
        (0..<samples.count / channelCount).map { index in
            var sum: Float = 0
            for channel in 0..<channelCount { sum += samples[index * channelCount + channel] }
            return sum
        }
    }

    /// Returns the nearest sample to a position.
    static func sample(_ place: Double) -> Int { Int(max(-1e12, min(1e12, place)).rounded()) }

    /// Returns the start near a nominal one from which the audio resembles that from `wanted` most, less what its deviation counts.
    private func bestMatch(of wanted: Int, near nominal: Int, in mono: [Float], from first: Int) -> Int {
        guard wanted != nominal, nominal >= search, wanted >= 0, nominal - search >= first, wanted >= first,
            max(nominal + search, wanted) + 2 * hop <= first + mono.count
        else { return nominal }
        // The natural continuation is as similar as can be.
        if abs(wanted - nominal) <= 1 { return wanted }
        let weight = deviationWeight(at: nominal - first, in: mono)
        let coarse = best(
            stride(from: nominal - search, through: nominal + search, by: Self.coarseStep), wanted, nominal,
            weight, mono, first, step: Self.coarseStep)
        let low = max(nominal - search, coarse - Self.coarseStep)
        let high = min(nominal + search, coarse + Self.coarseStep)
        return best(
            stride(from: low, through: high, by: 1), wanted, nominal, weight, mono, first, step: 1)
    }

    /// Returns how much deviations of a window count: by how much louder its second half is than its first. The differences of
    /// neighbouring samples are compared, in which high frequencies weigh more, as they do in starts of notes.
    private func deviationWeight(at start: Int, in mono: [Float]) -> Double {
        var (before, after) = (1e-9, 1e-9)
        for index in stride(from: start, to: start + hop, by: Self.coarseStep) {
            let one = Double(mono[index + 1]) - Double(mono[index])
            let next = Double(mono[index + hop + 1]) - Double(mono[index + hop])
            before += one * one
            after += next * next
        }
        let rise = max(0, (after - before) / (after + before))
        return Self.deviationWeight.steady + Self.deviationWeight.start * rise * rise
    }

    private func best(
        _ starts: StrideThrough<Int>, _ wanted: Int, _ nominal: Int, _ weight: Double, _ mono: [Float],
        _ first: Int, step: Int
    ) -> Int {
        var best = (start: wanted, value: -Double.infinity)
        mono.withUnsafeBufferPointer { mono in
            var whole = 1e-9
            for index in stride(from: wanted - first, to: wanted - first + 2 * hop, by: step) {
                whole += Double(mono[index]) * Double(mono[index])
            }
            for start in starts {
                var product = 0.0
                var energy = 1e-9
                var index = 0
                while index < 2 * hop {
                    let sample = Double(mono[start - first + index])
                    product += sample * Double(mono[wanted - first + index])
                    energy += sample * sample
                    index += step
                }
                let deviation = Double(start - nominal) / Double(search)
                let value = product / (energy * whole).squareRoot() - weight * deviation * deviation
                if value > best.value { best = (start, value) }
            }
        }
        return best.start
    }
}
