internal import MPEGAudio

/// Silences frames whose main data lies in frames that the decoder was not fed.
///
/// libmpg123 is meant to do this itself, but it keeps some bits of their side information in MPEG-2 and 2.5, reads two bytes
/// too many if there is a CRC, and sometimes drops such a frame: its filter bank then does not advance, and everything that
/// follows is rounded differently from a decode from the start.
struct ReservoirGuard {
    /// Bytes of main data fed so far, up to the maximum a frame can refer back to.
    private var available = 0

    /// Returns the frame to feed to the decoder.
    mutating func admit(_ frame: [UInt8]) -> [UInt8] {
        guard let header = MPEGFrameHeader(frame.span.bytes), header.layer == .layer3,
            frame.count >= header.overheadLength
        else { return frame }
        let side = header.overheadLength - header.sideInformationLength
        let isVersion1 = header.version == .v1
        let needed = isVersion1 ? Int(frame[side]) << 1 | Int(frame[side + 1]) >> 7 : Int(frame[side])
        defer {
            available = min(isVersion1 ? 511 : 255, available + frame.count - header.overheadLength)
        }
        guard needed > available else { return frame }
        var silent = frame
        // Remove the frame's own data. Keep the data it carries for later frames, and refer back to whatever earlier data
        // there is: the library keeps no more of it than the last frame referred to.
        for place in side..<header.overheadLength { silent[place] = 0 }
        if isVersion1 {
            silent[side] = UInt8(available >> 1)
            silent[side + 1] = UInt8(available & 1) << 7
        } else {
            silent[side] = UInt8(available)
        }
        return silent
    }
}
