// The standard library converts vectors lane by lane through generic code.

extension SIMD4<Float> {
    /// The nearest integer of each lane, halves to even, for lanes from 0 to 2²² − 1.
    @inline(__always)
    @inlinable package var nearestIntegers: SIMD4<UInt32> {
        // From 2²³ on floats are integers, and their mantissa is the value.
        unsafeBitCast(self + 8_388_608, to: SIMD4<UInt32>.self) & 0x7F_FFFF
    }

    /// The integer part of each lane, for lanes from 0 to 2²² − 1.
    @inline(__always)
    var integerParts: SIMD4<UInt32> {
        let nearest = (self + 8_388_608) - 8_388_608
        return nearest.replacing(with: nearest - 1, where: nearest .> self).nearestIntegers
    }
}
