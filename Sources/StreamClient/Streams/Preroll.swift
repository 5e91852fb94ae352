/// How many frames a decoder is fed with before one that is to sound, so that it comes out bit for bit as in a decode from the
/// beginning.
enum Preroll {
    /// Frames after which libmpg123's filter bank stands where it stood: its buffer has 16 places, and a frame moves on by 18 or 36
    /// of them. Its sums round alike only from the same place on, so decoding begins at a frame whose number this divides.
    static let cycle = 8

    /// Frames from which on everything is there that a frame may need of those before it, and the filter bank with them.
    ///
    /// The bit reservoir reaches back over 511 bytes in MPEG-1, whose smallest frames have 58 bytes of main data, and over 255 in
    /// MPEG-2 and 2.5, where they may have three (8 kbit/s at 24 kHz).
    /// - Parameter sampleCount: samples per frame: 1152 in MPEG-1, 576 in the others.
    static func frames(sampleCount: Int) -> Int { sampleCount == 1152 ? 12 : 88 }

    /// The most frames that are read before one that is to sound.
    static func longest(sampleCount: Int) -> Int { frames(sampleCount: sampleCount) + cycle - 1 }

    /// The number of the frame to begin with.
    static func start(before frame: Int, sampleCount: Int) -> Int {
        let early = max(0, frame - frames(sampleCount: sampleCount))
        return early - early % cycle
    }
}
