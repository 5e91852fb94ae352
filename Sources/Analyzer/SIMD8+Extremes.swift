// The standard library's max(), min(), pointwiseMax and pointwiseMin go lane by lane through generic code; a comparison
// and a selection are two instructions.

extension SIMD8<Float> {
    /// The larger of each pair of lanes.
    @inline(__always)
    func larger(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

    /// The smaller of each pair of lanes.
    @inline(__always)
    func smaller(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

    /// The largest lane.
    @inline(__always)
    var largestLane: Float {
        let four = lowHalf.replacing(with: highHalf, where: highHalf .> lowHalf)
        let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .> four.lowHalf)
        return Swift.max(two[0], two[1])
    }

    /// The smallest lane.
    @inline(__always)
    var smallestLane: Float { -(-self).largestLane }
}
