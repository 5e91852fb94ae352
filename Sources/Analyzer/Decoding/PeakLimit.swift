/// The peak above which a decoded frame is damaged audio rather than music.
///
/// Frames up to full scale are always accepted. Above, a frame whose main data overlaps its neighbours' is invalid. Above +12
/// dBFS, a frame that exceeds the typical peak of the stream's frames by 18 dB is invalid too: decoders overshoot loud masters
/// by a few decibels, and gains written into the frames may add more, so a stream that is loud throughout is left unchanged.
/// Nothing above +36 dBFS is accepted.
final class PeakLimit {
    private static let fullScale: Float = 1
    /// +12 dBFS.
    private static let undoubted: Float = 4
    /// 18 dB above the typical peak.
    private static let permittedRatio: Float = 8
    /// +36 dBFS.
    private static let highest: Float = 64

    private var limit = undoubted
    private var isSettled = false

    /// Returns whether the samples of a frame exceed the limit.
    /// - Parameters:
    ///   - overlapsNeighbour: whether the frame's main data overlaps its neighbours'.
    ///   - usualPeak: returns the typical peak of the stream's frames; called once, when a frame exceeds +12 dBFS.
    func isExceeded(
        by samples: UnsafeBufferPointer<Float>, overlapsNeighbour: () -> Bool, usualPeak: () -> Float
    ) -> Bool {
        guard samples.hasMagnitude(above: Self.fullScale) else { return false }
        if overlapsNeighbour() { return true }
        guard samples.hasMagnitude(above: limit) else { return false }
        guard !isSettled else { return true }
        isSettled = true
        limit = min(Self.highest, max(Self.undoubted, Self.permittedRatio * usualPeak()))
        return samples.hasMagnitude(above: limit)
    }
}

extension UnsafeBufferPointer<Float> {
    /// Returns whether the magnitude of any value exceeds a positive limit; true for NaN.
    func hasMagnitude(above limit: Float) -> Bool {
        largestMagnitudeBits > Int32(bitPattern: limit.bitPattern)
    }

    /// The largest magnitude.
    var largestMagnitude: Float { Float(bitPattern: UInt32(bitPattern: largestMagnitudeBits)) }

    /// The bit patterns of positive floating-point numbers sort like the numbers.
    private var largestMagnitudeBits: Int32 {
        let raw = UnsafeRawBufferPointer(self)
        var largest = SIMD8<Int32>.zero
        var index = 0
        while index &+ 8 <= count {
            let magnitudes =
                raw.loadUnaligned(fromByteOffset: index &* 4, as: SIMD8<Int32>.self) & 0x7FFF_FFFF
            largest.replace(with: magnitudes, where: magnitudes .> largest)
            index &+= 8
        }
        var result = largest.max()
        while index < count {
            result = Swift.max(result, Int32(bitPattern: self[index].bitPattern & 0x7FFF_FFFF))
            index += 1
        }
        return result
    }
}
