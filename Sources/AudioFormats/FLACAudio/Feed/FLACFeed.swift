/// Extracts FLAC frames from bytes that arrive in pieces, from a network or from a file that is read during playback.
///
/// The counterpart of ``FLACAudioStream/scan(_:passed:)``. It needs memory for a frame or two. A frame ends where another header
/// follows and the checksum is right; where the checksum is wrong, at the header that continues its number.
public struct FLACFeed: Sendable {
    /// The next unit in the stream.
    public enum Unit: Sendable {
        /// The STREAMINFO block.
        case information(StreamInfo)
        /// The contents of a VORBIS_COMMENT block. Those larger than ``largestComments`` are skipped.
        case comments([UInt8])
        /// A frame of audio.
        case frame(Frame)
    }

    /// A complete frame.
    public struct Frame: Sendable {
        /// The frame's header.
        public let header: FLACFrameHeader
        /// The format of the stream.
        public let format: FLACFormat
        /// Offset of its first byte in the stream.
        public let offset: Int
        /// All bytes of the frame.
        public let bytes: [UInt8]
        /// Its first sample by its header, per channel.
        public let startSample: Int
    }

    /// Maximum size of a reported block of comments, in bytes.
    public static let largestComments = 1 << 20
    /// Number of consumed bytes to keep before the buffer is trimmed.
    private static let slack = 1 << 16
    /// Size of the tag at the end of old files, which begins with "TAG".
    private static let id3v1Size = 128

    private enum Phase {
        case beginning
        case metadata
        case frames
    }

    private enum Step {
        case unit(Unit)
        case again
        case needsMore
    }

    /// Number of bytes that belong to no frame or metadata.
    public private(set) var skippedBytes = 0
    /// Number of frames so far.
    public private(set) var frameCount = 0
    /// The STREAMINFO block, once it is known.
    public private(set) var information: StreamInfo?
    /// Offset of the first byte after the metadata; nil before it is known.
    public private(set) var audioStart: Int?

    private var phase = Phase.beginning
    private var buffer: [UInt8] = []
    private var position = 0
    private var bufferOffset: Int
    private var toSkip = 0
    private var isFinished = false
    private var format: FLACFormat?
    /// Whether the previous frame was complete, so that the next one starts here.
    private var isSynced = true
    /// The search for the end of the frame at `position`: the header, and how far its bytes were summed and searched.
    private var open: (header: FLACFrameHeader, crc: CRC16, summed: Int, searched: Int)?

    /// Whether bytes are the beginning of a FLAC file; ID3v2 tags in front are not looked through.
    public static func isBeginning(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("fLaC".utf8)) }

    /// Creates a feed for a file, from its first byte on.
    public init() { bufferOffset = 0 }

    /// Creates a feed that begins anywhere in a stream, and finds the next frame.
    /// - Parameters:
    ///   - information: the STREAMINFO block of the stream.
    ///   - offset: offset of the first byte in the stream.
    public init(_ information: StreamInfo, offset: Int = 0) {
        self.information = information
        bufferOffset = offset
        phase = .frames
        isSynced = false
    }

    /// Appends the next bytes.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        if position > Self.slack {
            buffer.removeFirst(position)
            bufferOffset += position
            open?.summed -= position
            open?.searched -= position
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Marks the end of the stream, so that the remaining bytes are treated as its end.
    public mutating func finish() { isFinished = true }

    /// Returns the next unit; nil if more bytes are needed or the stream has ended.
    public mutating func next() -> Unit? {
        while true {
            if toSkip > 0 {
                let count = min(toSkip, buffer.count - position)
                position += count
                toSkip -= count
                guard toSkip == 0 else { return nil }
            }
            let step =
                switch phase {
                case .beginning: begin()
                case .metadata: block()
                case .frames: frame()
                }
            switch step {
            case .unit(let unit): return unit
            case .again: continue
            case .needsMore: return nil
            }
        }
    }

    private var available: Int { buffer.count - position }

    // MARK: - Metadata

    private mutating func begin() -> Step {
        guard available >= 10 else { return .needsMore }
        if Self.isBeginning(Array(buffer[position..<position + 4])) {
            position += 4
            phase = .metadata
            return .again
        }
        guard buffer[position..<position + 3].elementsEqual("ID3".utf8) else {
            skippedBytes += available
            position = buffer.count
            return .needsMore
        }
        // The size of an ID3v2 tag has seven bits per byte.
        toSkip = 10 + buffer[position + 6..<position + 10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return .again
    }

    private mutating func block() -> Step {
        guard available >= 4 else { return .needsMore }
        let head = buffer[position]
        let size = buffer.span.bytes.number(at: position + 1, byteCount: 3)
        let (isInfo, isComments) = (head & 0x7F == 0, head & 0x7F == 4 && size <= Self.largestComments)
        if isInfo || isComments { guard available >= 4 + size else { return .needsMore } }
        let contents = position + 4
        position = contents
        if head & 0x80 != 0 {
            phase = .frames
            audioStart = bufferOffset + contents + size
        }
        if isInfo, let info = StreamInfo(buffer.span.bytes, at: contents) {
            position += size
            information = information ?? info
            return .unit(.information(info))
        }
        if isComments {
            position += size
            return .unit(.comments(Array(buffer[contents..<position])))
        }
        toSkip = size
        return .again
    }

    // MARK: - Frames

    private mutating func frame() -> Step {
        guard let information else {
            // Frames cannot be read without it.
            skippedBytes += available
            position = buffer.count
            return .needsMore
        }
        if open == nil, let missing = openFrame(information) { return missing }
        guard let header = open?.header, let format else { return .needsMore }
        // A header at the very end may be cut off.
        let last = isFinished ? buffer.count : buffer.count - FLACFrameHeader.longest
        let limit = position + format.longestFrame(blockSize: header.blockSize) + FLACFrameHeader.longest
        while let searched = open?.searched, searched < min(last, limit),
            let found = buffer.span.bytes.firstFF(in: searched..<min(last, limit))
        {
            open?.searched = found + 1
            guard let next = FLACFrameHeader(buffer.span.bytes, at: found),
                FLACFormat(next, information) == format
            else { continue }
            if checksum(upTo: found) == 0 { return complete(upTo: found, information) }
            // The frame is damaged, and the next one follows it. Without a frame before it, it may be no frame at all.
            if next.number == header.successor, isSynced { return complete(upTo: found, information) }
        }
        let searched = max(open?.searched ?? 0, min(last, limit))
        open?.searched = searched
        if buffer.count >= limit { return lose() }
        guard isFinished else { return .needsMore }
        for end in [buffer.count, buffer.count - Self.id3v1Size] where end > position + header.byteCount {
            // The sum cannot go back.
            if end < open?.summed ?? 0 { open?.summed = position; open?.crc = CRC16() }
            if checksum(upTo: end) == 0 { return complete(upTo: end, information) }
        }
        return lose()
    }

    /// Finds the header of the next frame.
    /// - Returns: nil once it is found.
    private mutating func openFrame(_ information: StreamInfo) -> Step? {
        let last = isFinished ? buffer.count : buffer.count - FLACFrameHeader.longest
        var place = position
        while place < last, let found = buffer.span.bytes.firstFF(in: place..<last) {
            place = found + 1
            guard let header = FLACFrameHeader(buffer.span.bytes, at: found),
                let format = FLACFormat(header, information), self.format == nil || self.format == format
            else { continue }
            skippedBytes += found - position
            if found > position { isSynced = false }
            position = found
            self.format = format
            // Each channel has at least a byte, and a checksum follows.
            open = (header, CRC16(), found, found + header.byteCount + header.channelCount + 2)
            return nil
        }
        let rest = max(position, last)
        if isFinished, available == Self.id3v1Size, buffer[position...].starts(with: "TAG".utf8) {
            position = buffer.count
            return .needsMore
        }
        skippedBytes += rest - position
        if rest > position { isSynced = false }
        position = rest
        return .needsMore
    }

    private mutating func checksum(upTo end: Int) -> UInt16 {
        guard var state = open else { return 1 }
        state.crc.update(buffer.span.bytes, in: state.summed..<end)
        state.summed = end
        open = state
        return state.crc.value
    }

    private mutating func complete(upTo end: Int, _ information: StreamInfo) -> Step {
        guard let header = open?.header, let format else { return .needsMore }
        let start =
            header.hasVariableBlockSize ? header.number : header.number * information.maximumBlockSize
        let unit = Unit.frame(
            Frame(
                header: header, format: format, offset: bufferOffset + position,
                bytes: Array(buffer[position..<end]), startSample: start))
        frameCount += 1
        position = end
        open = nil
        isSynced = true
        return .unit(unit)
    }

    /// Gives up the frame at the position, and searches on after its first byte.
    private mutating func lose() -> Step {
        skippedBytes += 1
        position += 1
        open = nil
        isSynced = false
        if frameCount == 0 { format = nil }
        return .again
    }
}
