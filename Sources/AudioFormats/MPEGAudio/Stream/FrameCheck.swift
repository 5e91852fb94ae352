/// Detects frames whose side information cannot have been written by an encoder, before anything is decoded.
///
/// A frame is damaged if
/// - a granule codes more than 576 values, or has the reserved window type (ISO/IEC 11172-3 §2.4.2.7);
/// - its granules claim more main data than is available between the position it points back to and its own end;
/// - its CRC is wrong. This counts only in streams where the CRC of most frames is correct, since some encoders always write
///   wrong ones.
public struct FrameCheck: Sendable {
    /// Number of frames examined to decide whether a stream's CRCs can be trusted.
    private static let sampledFrames = 256
    /// Maximum number of value pairs in a granule: 576 / 2.
    private static let largestBigValues = 288

    private let trustsChecksums: Bool

    /// Creates a check for the frames of a scanned stream.
    /// - Parameter bytes: the whole file.
    public init(of stream: MPEGAudioStream, in bytes: RawSpan) {
        guard stream.diagnostics.isCRCProtected else {
            trustsChecksums = false
            return
        }
        let count = stream.index.count
        var sampled = 0
        var right = 0
        for frame in stride(from: 0, to: count, by: max(1, count / Self.sampledFrames)) {
            guard let isRight = Self.hasRightChecksum(bytes, frameAt: stream.index[frame].offset) else {
                continue
            }
            sampled += 1
            if isRight { right += 1 }
        }
        trustsChecksums = sampled >= 8 && right * 4 >= sampled * 3
    }

    /// Whether a frame is damaged.
    /// - Parameters:
    ///   - range: the frame's bytes.
    ///   - bytes: the whole file.
    public func isDamaged(_ range: Range<Int>, in bytes: RawSpan) -> Bool {
        guard let header = MPEGFrameHeader(bytes, at: range.lowerBound), header.layer == .layer3,
            range.count >= header.overheadLength
        else { return false }
        let layout = GlobalGain.Layout(header)
        let first = (range.lowerBound + header.overheadLength - header.sideInformationLength) * 8
        var claimed = 0
        for index in 0..<layout.count {
            let start = first + layout.lengthPosition(index)
            let length = bytes.bits(12, at: start)
            claimed += length
            if bytes.bits(9, at: start + 12) > Self.largestBigValues { return true }
            let window = bytes.bits(3, at: start + layout.windowOffset)
            // The window switching flag, then the type, whose value 0 is reserved.
            if window == 0b100 { return true }
        }
        let mainDataBegin = bytes.bits(layout.mainDataBeginLength, at: first)
        if claimed > 8 * (mainDataBegin + range.count - header.overheadLength) { return true }
        return trustsChecksums && Self.hasRightChecksum(bytes, frameAt: range.lowerBound) == false
    }

    /// Whether a frame's main data overlaps that of the previous or next frame. It does not in a stream as encoded; it does if
    /// side information is damaged, and where streams were cut and joined, which is not damage.
    /// - Parameters:
    ///   - frame: a frame of the stream.
    ///   - index: the stream's index.
    ///   - bytes: the whole file.
    public func overlapsNeighbour(_ frame: Int, of index: FrameIndex, in bytes: RawSpan) -> Bool {
        guard let own = Self.mainData(index[frame].range, in: bytes) else { return false }
        if frame > 0, let before = Self.mainData(index[frame - 1].range, in: bytes), before.overlaps(own) {
            return true
        }
        guard frame + 1 < index.count, let after = Self.mainData(index[frame + 1].range, in: bytes) else {
            return false
        }
        return own.overlaps(after)
    }

    /// Location of a frame's main data, in bytes.
    private struct MainData {
        /// Distance by which it starts before the frame's own main data.
        let begin: Int
        /// Bytes claimed by the granules.
        let claimed: Int
        /// Bytes available for main data in the frame itself.
        let room: Int

        /// Whether it overlaps that of the next frame.
        func overlaps(_ next: MainData) -> Bool { claimed + next.begin > room + begin }
    }

    private static func mainData(_ range: Range<Int>, in bytes: RawSpan) -> MainData? {
        guard let header = MPEGFrameHeader(bytes, at: range.lowerBound), header.layer == .layer3,
            range.count >= header.overheadLength
        else { return nil }
        let layout = GlobalGain.Layout(header)
        let first = (range.lowerBound + header.overheadLength - header.sideInformationLength) * 8
        var claimed = 0
        for index in 0..<layout.count { claimed += bytes.bits(12, at: first + layout.lengthPosition(index)) }
        return MainData(
            begin: bytes.bits(layout.mainDataBeginLength, at: first), claimed: (claimed + 7) / 8,
            room: range.count - header.overheadLength)
    }

    /// Returns a frame of the same length that decodes to silence, apart from the overlap of the previous frame: all side
    /// information fields except `main_data_begin` are 0. The following frames find their main data unchanged.
    /// - Returns: the unchanged frame if it has no Layer III side information.
    public static func silenced(_ frame: RawSpan) -> [UInt8] {
        var copy = (0..<frame.byteCount).map { frame.byte(at: $0) }
        guard let header = MPEGFrameHeader(frame), header.layer == .layer3,
            copy.count >= header.overheadLength
        else { return copy }
        let first = header.overheadLength - header.sideInformationLength
        var cleared = first + 1
        if header.version == .v1 {
            copy[cleared] &= 0x80
            cleared += 1
        }
        for offset in cleared..<header.overheadLength { copy[offset] = 0 }
        if header.isProtected {
            let sum = FrameChecksum(header: header, sideInformation: copy.span.bytes, at: first).value
            copy[4] = UInt8(truncatingIfNeeded: sum >> 8)
            copy[5] = UInt8(truncatingIfNeeded: sum)
        }
        return copy
    }

    /// Whether a frame's CRC is correct; nil if it has none.
    private static func hasRightChecksum(_ bytes: RawSpan, frameAt offset: Int) -> Bool? {
        guard let header = MPEGFrameHeader(bytes, at: offset), header.isProtected,
            let sum = FrameChecksum(ofFrameIn: bytes, at: offset)
        else { return nil }
        return sum.value == bytes.bigEndian16(at: offset + 4)
    }
}
