/// The number of frames that a decoder must be fed before the first audible one, so that its output matches a decode from the
/// start bit for bit.
enum Preroll {
    /// Number of frames after which libmpg123's filter bank is at the same buffer position again: the buffer has 16 places,
    /// and a frame advances it by 18 or 36. Sums are rounded identically only from the same position, so decoding starts at a
    /// frame number divisible by this.
    static let cycle = 8

    /// Number of preceding frames that contain everything a frame may need, including the filter bank state.
    ///
    /// The bit reservoir reaches back over 511 bytes in MPEG-1, whose smallest frames have 58 bytes of main data, and over
    /// 255 bytes in MPEG-2 and 2.5, where they may have three (8 kbit/s at 24 kHz).
    /// - Parameter sampleCount: samples per frame: 1152 in MPEG-1, 576 in the others.
    static func frames(sampleCount: Int) -> Int { sampleCount == 1152 ? 12 : 88 }

    /// Maximum number of frames read before the first audible one.
    static func longest(sampleCount: Int) -> Int { frames(sampleCount: sampleCount) + cycle - 1 }

    /// Returns the number of the frame to start with.
    static func start(before frame: Int, sampleCount: Int) -> Int {
        let early = max(0, frame - frames(sampleCount: sampleCount))
        return early - early % cycle
    }
}
