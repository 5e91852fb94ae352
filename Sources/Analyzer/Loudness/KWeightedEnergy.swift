/// Runs two channels through the K-weighting filter side by side and adds up the squares.
///
/// Both channels sit in one SIMD register of doubles, so that stereo costs what mono does.
struct KWeightedEnergy {
    private let filter: KWeightingFilter
    private var shelf1 = SIMD2<Double>.zero
    private var shelf2 = SIMD2<Double>.zero
    private var high1 = SIMD2<Double>.zero
    private var high2 = SIMD2<Double>.zero

    init(filter: KWeightingFilter) { self.filter = filter }

    /// Filters a run of sample frames.
    /// - Parameters:
    ///   - first: samples of the first channel.
    ///   - second: samples of the second channel, as many; the same buffer again where there is only one.
    ///   - range: the run within both buffers.
    /// - Returns: the sum of the squared filtered samples of each channel.
    mutating func consume(
        _ first: UnsafeBufferPointer<Float>, _ second: UnsafeBufferPointer<Float>, range: Range<Int>
    ) -> SIMD2<Double> {
        // Filter state in registers for the length of the loop; transposed direct form II.
        let s = filter.shelf
        let h = filter.highPass
        var s1 = shelf1
        var s2 = shelf2
        var h1 = high1
        var h2 = high2
        var sum = SIMD2<Double>.zero
        for i in range {
            let x = SIMD2<Double>(Double(first[i]), Double(second[i]))
            let y = s.b0 * x + s1
            s1 = (s.b1 * x + s2) - s.a1 * y
            s2 = s.b2 * x - s.a2 * y
            let z = y + h1
            h1 = (h2 - 2 * y) - h.a1 * z
            h2 = y - h.a2 * z
            sum += z * z
        }
        shelf1 = Self.flushed(s1)
        shelf2 = Self.flushed(s2)
        high1 = Self.flushed(h1)
        high2 = Self.flushed(h2)
        return sum
    }

    /// Zero in place of a state that has decayed to nothing: subnormal numbers are slow, and 1e-30 is −600 dB.
    private static func flushed(_ state: SIMD2<Double>) -> SIMD2<Double> {
        state.replacing(with: 0, where: (state .< 1e-30) .& (state .> -1e-30))
    }
}
