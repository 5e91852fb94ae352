/// The Layer III bit reservoir: frames may store their main data in preceding frames (ISO/IEC 11172-3 §2.4.2.7,
/// `main_data_begin`), so a decoder that starts in the middle of a stream needs a few frames of pre-roll.
public enum BitReservoir {
    /// Returns the first frame to feed to a new decoder so that `frame` decodes exactly as in a decode of the whole file; the
    /// output of the frames before `frame` must be discarded.
    ///
    /// The previous frame (in MPEG-1; the previous two, of half the length, in MPEG-2 and 2.5) must itself decode correctly,
    /// since its second half overlaps into this one and the filter bank has memory. The search therefore goes back from there
    /// until the main data it points to is covered. It ends at the first frame of the section, since a decoder restarts when
    /// the format changes. Usually two or three frames, six or seven at 32 kbit/s.
    ///
    /// - Parameters:
    ///   - frame: a frame of `index`.
    ///   - bytes: the whole file's bytes.
    /// - Throws: ``MPEGAudioError/Code/invalidArgument`` for a frame outside the index,
    ///   ``MPEGAudioError/Code/indexMismatch`` if `bytes` do not contain the indexed frames.
    public static func firstFrameToFeed(
        toDecode frame: Int, index: FrameIndex, bytes: RawSpan
    ) throws(MPEGAudioError) -> Int {
        guard frame >= 0, frame < index.count else {
            throw MPEGAudioError(
                .invalidArgument, "frame \(frame) is outside the stream's \(index.count) frames")
        }
        let section = index.section(ofFrame: frame)
        let floor = section.frames.lowerBound
        let intact = max(floor, frame - (section.format.version == .v1 ? 1 : 2))
        let walk = try firstFrame(holdingMainDataOf: intact, notBefore: floor, index: index, bytes: bytes)
        guard walk.isProtected else { return walk.first }
        // If a frame lacks main data, mpg123 silences it by zeroing its side information, and with a CRC it zeroes two bytes
        // too many: the first two bytes of the frame's main data. Frames whose data is needed from the first byte must
        // therefore not lack any themselves.
        var first = walk.first
        for needed in walk.first + 1..<max(walk.first + 1, intact) {
            let own = try firstFrame(holdingMainDataOf: needed, notBefore: floor, index: index, bytes: bytes)
            first = min(first, own.first)
        }
        return first
    }

    /// Returns a first frame to feed to a new decoder that is early enough for `frame` whatever the frames contain, determined
    /// from their lengths alone without reading the file. ``firstFrameToFeed(toDecode:index:bytes:)`` is never earlier for a
    /// stream without CRC.
    /// - Parameter frame: a frame of `index`.
    public static func frameEarlyEnough(toDecode frame: Int, index: FrameIndex) -> Int {
        let section = index.section(ofFrame: frame)
        let floor = section.frames.lowerBound
        let isVersion1 = section.format.version == .v1
        var first = max(floor, frame - (isVersion1 ? 1 : 2))
        // The maximum of the 9 or 8 bits of main_data_begin, and the maximum length of header, CRC and side information.
        var needed = isVersion1 ? 511 : 255
        let overhead = isVersion1 ? 38 : 23
        while needed > 0, first > floor {
            first -= 1
            needed -= max(0, index[first].length - overhead)
        }
        return first
    }

    /// Returns the closest preceding frame from which all possible main data of `frame` is available.
    private static func firstFrame(
        holdingMainDataOf frame: Int, notBefore floor: Int, index: FrameIndex, bytes: RawSpan
    ) throws(MPEGAudioError) -> (first: Int, isProtected: Bool) {
        let extent = index[frame]
        let header = try header(bytes, extent)
        var needed = mainDataBegin(bytes, at: extent.offset, header: header)
        var first = frame
        var isProtected = header.isProtected
        while needed > 0, first > floor {
            first -= 1
            let extent = index[first]
            let header = try Self.header(bytes, extent)
            needed -= max(0, extent.length - header.overheadLength)
            if header.isProtected { isProtected = true }
        }
        return (first, isProtected)
    }

    /// Returns the number of main data bytes that the frame at `offset` takes from preceding frames: the first field of the
    /// side information, 9 bits in MPEG-1, 8 in MPEG-2 and 2.5.
    private static func mainDataBegin(_ bytes: RawSpan, at offset: Int, header: MPEGFrameHeader) -> Int {
        let sideInformation = offset + 4 + (header.isProtected ? 2 : 0)
        let first = Int(bytes.byte(at: sideInformation))
        guard header.version == .v1 else { return first }
        return first << 1 | Int(bytes.byte(at: sideInformation + 1)) >> 7
    }

    private static func header(_ bytes: RawSpan, _ extent: FrameExtent) throws(MPEGAudioError)
        -> MPEGFrameHeader
    {
        guard extent.length >= 8, extent.range.upperBound <= bytes.byteCount,
            let header = MPEGFrameHeader(bytes, at: extent.offset), header.layer == .layer3,
            header.frameLength == nil || header.frameLength == extent.length
        else {
            throw MPEGAudioError(
                .indexMismatch, "the file does not match its frame index",
                offset: extent.offset)
        }
        return header
    }
}
