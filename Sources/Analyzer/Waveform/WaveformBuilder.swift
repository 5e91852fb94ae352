/// Builds a ``WaveformOverview`` of a signal that arrives in blocks.
///
/// It starts with fine pixels and merges neighbours whenever there would be too many, so that the track's length need not be
/// known in advance and memory does not grow with it.
struct WaveformBuilder {
    private static let finestSamplesPerPixel = 128

    private let sampleRateHz: Int
    private var samplesPerPixel = finestSamplesPerPixel
    private var minima: [Float] = []
    private var maxima: [Float] = []
    private var low = Float.infinity
    private var high = -Float.infinity
    private var filled = 0
    private var isFull = false

    /// Creates a builder.
    init(sampleRateHz: Int) {
        self.sampleRateHz = sampleRateHz
        minima.reserveCapacity(WaveformOverview.maximumPixelCount)
        maxima.reserveCapacity(WaveformOverview.maximumPixelCount)
    }

    /// Consumes the next samples of the mono mix.
    mutating func consume(_ mono: UnsafeBufferPointer<Float>) {
        var start = 0
        while start < mono.count {
            if isFull { joinNeighbours() }
            let end = min(mono.count, start + samplesPerPixel - filled)
            let extremes = Self.extremes(of: mono, range: start..<end)
            low = min(low, extremes.low)
            high = max(high, extremes.high)
            filled += end - start
            start = end
            if filled == samplesPerPixel { endPixel() }
        }
    }

    /// Ends the signal and returns the result.
    mutating func finish() -> WaveformOverview {
        if filled > 0 { endPixel() }
        var pairs: [Int8] = []
        pairs.reserveCapacity(2 * minima.count)
        for pixel in minima.indices {
            pairs.append(Self.quantised(minima[pixel]))
            pairs.append(Self.quantised(maxima[pixel]))
        }
        return WaveformOverview(sampleRateHz: sampleRateHz, samplesPerPixel: samplesPerPixel, extremes: pairs)
    }

    private mutating func endPixel() {
        minima.append(low)
        maxima.append(high)
        low = .infinity
        high = -.infinity
        filled = 0
        isFull = minima.count == WaveformOverview.maximumPixelCount
    }

    private mutating func joinNeighbours() {
        let half = minima.count / 2
        for pixel in 0..<half {
            minima[pixel] = min(minima[2 * pixel], minima[2 * pixel + 1])
            maxima[pixel] = max(maxima[2 * pixel], maxima[2 * pixel + 1])
        }
        minima.removeLast(half)
        maxima.removeLast(half)
        samplesPerPixel *= 2
        isFull = false
    }

    private static func quantised(_ value: Float) -> Int8 {
        Int8(max(-128, min(127, (value * 128).rounded())))
    }

    private static func extremes(
        of samples: UnsafeBufferPointer<Float>, range: Range<Int>
    ) -> (low: Float, high: Float) {
        let raw = UnsafeRawBufferPointer(samples)
        var low = SIMD4<Float>(repeating: .infinity)
        var high = SIMD4<Float>(repeating: -.infinity)
        var index = range.lowerBound
        while index + 8 <= range.upperBound {
            let x = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<Float>.self)
            let y = raw.loadUnaligned(fromByteOffset: index * 4 + 16, as: SIMD4<Float>.self)
            low = low.smaller(x.smaller(y))
            high = high.larger(x.larger(y))
            index += 8
        }
        var result = (low: low.smallestLane, high: high.largestLane)
        while index < range.upperBound {
            result = (min(result.low, samples[index]), max(result.high, samples[index]))
            index += 1
        }
        return result
    }
}
