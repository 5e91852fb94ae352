// The standard library's max() and min() of a vector work lane by lane through generic code; a comparison and a selection of
// four lanes compile to one instruction. Wider vectors do not on processors whose registers hold four lanes.

extension SIMD4<Float> {
    /// Returns the larger of each pair of lanes.
    @inline(__always)
    func larger(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

    /// Returns the smaller of each pair of lanes.
    @inline(__always)
    func smaller(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// The absolute value of each lane.
    @inline(__always)
    var magnitudes: Self {
        unsafeBitCast(unsafeBitCast(self, to: SIMD4<UInt32>.self) & 0x7FFF_FFFF, to: Self.self)
    }

    /// The largest lane.
    @inline(__always)
    var largestLane: Float { Swift.max(Swift.max(x, y), Swift.max(z, w)) }

    /// The smallest lane.
    @inline(__always)
    var smallestLane: Float { Swift.min(Swift.min(x, y), Swift.min(z, w)) }
}

extension UnsafeRawBufferPointer {
    /// Returns the largest absolute values of every fourth of sixteen samples.
    /// - Parameter index: index of the first sample; the memory holds samples from its start.
    @inline(__always)
    func lanePeaks(ofSamplesAt index: Int) -> SIMD4<Float> {
        let first = loadUnaligned(fromByteOffset: index &* 4, as: SIMD4<Float>.self).magnitudes
        let second = loadUnaligned(fromByteOffset: index &* 4 &+ 16, as: SIMD4<Float>.self).magnitudes
        let third = loadUnaligned(fromByteOffset: index &* 4 &+ 32, as: SIMD4<Float>.self).magnitudes
        let fourth = loadUnaligned(fromByteOffset: index &* 4 &+ 48, as: SIMD4<Float>.self).magnitudes
        return first.larger(second).larger(third.larger(fourth))
    }
}
