/// A fade-out over the last frames of a stream, by 60 dB in steps of 1.505 dB: linear in decibels, like an even fader move.
///
/// Where the gain changes between granules, the overlapping windows of the filter bank (MDCT) cross-fade. The aliasing that
/// they otherwise cancel partly remains, depending on the step alone: at most 22 dB below the signal in the same 689 Hz band at
/// that moment, and mostly at its frequencies.
public struct GainFade: Sendable, Hashable {
    /// Depth in steps of 1.505 dB.
    public static let depth = 40

    /// Frames of the fade.
    public let frames: Range<Int>

    /// Creates a fade over some frames.
    public init(frames: Range<Int>) { self.frames = frames }

    /// Returns the attenuation of a frame in steps of 1.505 dB: 0 before the fade, the full depth in its last frame and after it.
    public func steps(ofFrame frame: Int) -> Int {
        guard frame >= frames.lowerBound else { return 0 }
        guard frame < frames.upperBound else { return Self.depth }
        return (frame - frames.lowerBound + 1) * Self.depth / frames.count
    }
}
