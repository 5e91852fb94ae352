/// A fade-out over the last frames of a stream, in steps of 1.505 dB down by 60 dB: linear in decibels, as an even fader move is.
///
/// Where the gain changes from one granule to the next, the overlapping windows of the filter bank (MDCT) pass over from the one to
/// the other; of the aliasing that they else cancel a part is left, which follows from the step alone: at most 22 dB below the
/// signal of the same 689 Hz band at that moment, and mostly at its frequencies.
public struct GainFade: Sendable, Hashable {
    /// How far it goes down, in steps of 1.505 dB.
    public static let depth = 40

    /// The frames that fade.
    public let frames: Range<Int>

    /// A fade over some frames.
    public init(frames: Range<Int>) { self.frames = frames }

    /// How much lower a frame is to be, in steps of 1.505 dB: 0 before the fade, all of its depth in its last frame and after it.
    public func steps(ofFrame frame: Int) -> Int {
        guard frame >= frames.lowerBound else { return 0 }
        guard frame < frames.upperBound else { return Self.depth }
        return (frame - frames.lowerBound + 1) * Self.depth / frames.count
    }
}
