internal import MPEGAudio

/// Silences frames whose main data lies in frames that a decoder was not fed with.
///
/// libmpg123 means to do so by itself, but leaves some bits of their side information in MPEG-2 and 2.5, takes two bytes too many
/// where there is a CRC, and gives such a frame up now and then: then its filter bank does not move on, and all that follows rounds
/// otherwise than in a decode from the beginning.
struct ReservoirGuard {
    /// Bytes of main data that were fed, as far as a frame can reach back.
    private var available = 0

    /// The frame as it is to be fed.
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
        // No data of its own; what it carries for later frames stays, and what came before it, as far as there is anything: the
        // library keeps no more of the past than the last frame asked for.
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
