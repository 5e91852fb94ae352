/// Applies the K-weighting filter to two channels in parallel and sums the squares.
///
/// Both channels share one SIMD register of doubles, so that stereo costs the same as mono.
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
    ///   - second: samples of the second channel, of the same length; the first buffer again for mono.
    ///   - range: range within both buffers.
    /// - Returns: the sum of the squared filtered samples of each channel.
    mutating func consume(
        _ first: UnsafeBufferPointer<Float>, _ second: UnsafeBufferPointer<Float>, range: Range<Int>
    ) -> SIMD2<Double> {
        // Filter state stays in registers during the loop; transposed direct form II. A section's output is eliminated from the
        // equations of its state, which shortens the dependency chain to one product and one sum per sample instead of two: s₁'
        // = b₁x + s₂ − a₁y with y = b₀x + s₁ is (b₁ − a₁b₀)x + s₂ − a₁s₁.
        let b0 = SIMD2(repeating: filter.shelf.b0)
        let a1 = SIMD2(repeating: filter.shelf.a1)
        let a2 = SIMD2(repeating: filter.shelf.a2)
        let c1 = SIMD2(repeating: filter.shelf.b1) - a1 * b0
        let c2 = SIMD2(repeating: filter.shelf.b2) - a2 * b0
        let d1 = SIMD2(repeating: filter.highPass.a1)
        let d2 = SIMD2(repeating: filter.highPass.a2)
        let e1 = SIMD2(repeating: filter.highPass.b1) - d1
        let e2 = SIMD2(repeating: filter.highPass.b2) - d2
        var s1 = shelf1
        var s2 = shelf2
        var h1 = high1
        var h2 = high2
        var sum = SIMD2<Double>.zero
        for i in range {
            let x = SIMD2<Double>(SIMD2<Float>(first[i], second[i]))
            let y = b0 * x + s1
            (s1, s2) = ((c1 * x + s2) - a1 * s1, c2 * x - a2 * s1)
            let z = y + h1
            (h1, h2) = ((e1 * y + h2) - d1 * h1, e2 * y - d2 * h1)
            sum += z * z
        }
        shelf1 = Self.flushed(s1)
        shelf2 = Self.flushed(s2)
        high1 = Self.flushed(h1)
        high2 = Self.flushed(h2)
        return sum
    }

    /// Replaces a decayed state with zero: subnormal numbers are slow, and 1e-30 is −600 dB.
    private static func flushed(_ state: SIMD2<Double>) -> SIMD2<Double> {
        state.replacing(with: 0, where: (state .< 1e-30) .& (state .> -1e-30))
    }
}
