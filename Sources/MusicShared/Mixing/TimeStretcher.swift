/// Changes the speed of audio and keeps its pitch, by waveform-similarity overlap-add (W. Verhelst and M. Roelands, "An overlap-add
/// technique based on waveform similarity", ICASSP 1993).
///
/// Each output window is taken from near its nominal position in the input, where it continues the previous window best. No window is
/// farther than 6 ms from its nominal position, so beats stay in time, and deviations do not add up. At its own speed the input is
/// copied. Sums are in double precision and in order, so that players that do the same choose the same windows.
public struct TimeStretcher: Sendable {
    /// Number of samples per channel between two windows.
    public var hop: Int { match.hop }
    private let match: WaveformMatch
    private let channelCount: Int
    private let window: [Float]

    /// Creates a stretcher for interleaved samples.
    public init(sampleRate: Int, channelCount: Int) {
        match = WaveformMatch(sampleRate: sampleRate)
        self.channelCount = max(1, channelCount)
        window = match.window
    }

    /// Renders audio at a variable speed.
    /// - Parameters:
    ///   - input: interleaved samples; silence is read outside them.
    ///   - count: number of samples per channel to render.
    ///   - position: the position in the input, in samples, that belongs to an output sample.
    /// - Returns: interleaved samples.
    public func render(_ input: [Float], count: Int, position: (Int) -> Double) -> [Float] {
        guard count > 0 else { return [] }
        let mono = input.withUnsafeBufferPointer { WaveformMatch.mono($0, channelCount: channelCount) }
        var output = [Float](repeating: 0, count: count * channelCount)
        var last: (place: Double, start: Int)?
        // Windows are centred at multiples of the hop; the first one is before the output.
        for centre in stride(from: 0, through: count + hop, by: hop) {
            let place = position(centre)
            let start = match.next(at: place, after: last, in: mono)
            last = (place, start)
            add(input, from: start, to: &output, at: centre - hop, count: count)
        }
        return output
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
}
