// The standard library's max() and min() of a vector go lane by lane through generic code; a comparison and a selection of four
// lanes become one instruction. Wider vectors do not on processors whose registers hold four.

extension SIMD4<Float> {
    /// The larger of each pair of lanes.
    @inline(__always)
    func larger(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

    /// The smaller of each pair of lanes.
    @inline(__always)
    func smaller(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// Each lane without its sign.
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
