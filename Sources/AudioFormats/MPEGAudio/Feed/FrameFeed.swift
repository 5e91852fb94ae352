/// Extracts MP3 frames from bytes that arrive in pieces, from a network or from a file that is read during playback.
///
/// The counterpart of ``MPEGAudioStream/scan(_:passed:)`` for long or endless streams: it accepts a stream once three
/// consecutive headers agree, skips tags and junk, and needs memory for only a few frames. Free format is not supported, since
/// determining its frame length requires looking far ahead.
public struct FrameFeed: Sendable {
    /// The next unit in the stream.
    public enum Unit: Sendable {
        /// A frame of audio.
        case frame(Frame)
        /// Stream information from the encoder: an initial frame without audio, with its byte range in the stream.
        case information(XingInfoTag)
        /// A complete ID3v2 tag. Tags larger than ``largestTag`` are skipped.
        case id3([UInt8])
    }

    /// A complete frame.
    public struct Frame: Sendable {
        /// The frame's header.
        public let header: MPEGFrameHeader
        /// Offset of its first byte in the stream.
        public let offset: Int
        /// All bytes of the frame.
        public let bytes: [UInt8]
    }

    /// Maximum size of a reported ID3v2 tag, in bytes.
    public static let largestTag = 1 << 20
    /// Number of consumed bytes to keep before the buffer is trimmed.
    private static let slack = 1 << 16

    /// Number of bytes that belong to no frame or tag.
    public private(set) var skippedBytes = 0
    /// Number of times frames resumed after such bytes.
    public private(set) var resyncCount = 0
    /// Number of audio frames so far.
    public private(set) var frameCount = 0
    /// Whether the stream ended inside a frame.
    public private(set) var isTruncated = false

    private var buffer: [UInt8] = []
    private var position = 0
    private var bufferOffset: Int
    private var toSkip = 0
    private var isFinished = false
    private var pattern: FramePattern?
    private var isSynced = false
    /// Whether no frame has been read since the start or since a tag.
    private var isAtStart = true
    private var hasSkipped = false

    /// Creates a feed that starts at an offset of its stream.
    public init(offset: Int = 0) { bufferOffset = offset }

    /// Offset of the next unit in the stream.
    public var offset: Int { bufferOffset + position }

    /// Appends the next bytes.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        if position > Self.slack {
            buffer.removeFirst(position)
            bufferOffset += position
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
            guard position < buffer.count else { return nil }
            switch isSynced ? step() : resynchronise() {
            case .unit(let unit): return unit
            case .again: continue
            case .needsMore:
                guard isFinished else { return nil }
                if isSynced { isTruncated = true } else { skippedBytes += buffer.count - position }
                position = buffer.count
                return nil
            }
        }
    }

    private enum Step {
        case unit(Unit)
        case again
        case needsMore
    }

    // MARK: Synchronised

    private mutating func step() -> Step {
        guard buffer.count - position >= 4 else { return tag() ?? .needsMore }
        guard let pattern else { return lose() }
        let word = buffer.span.bytes.bigEndian32(at: position)
        let length = pattern.length(of: word)
        guard length > 0 else { return tag() ?? lose() }
        guard buffer.count - position >= length, let header = MPEGFrameHeader(word: word) else {
            return .needsMore
        }
        let range = position..<position + length
        let info = XingInfoTag(
            buffer.span.bytes, frame: range, header: header, requiresSilence: !isAtStart)
        position += length
        if var info {
            info.frame = info.frame.lowerBound + bufferOffset..<info.frame.upperBound + bufferOffset
            isAtStart = true
            return .unit(.information(info))
        }
        isAtStart = false
        frameCount += 1
        return .unit(
            .frame(
                Frame(
                    header: header, offset: bufferOffset + range.lowerBound, bytes: Array(buffer[range]))))
    }

    private mutating func lose() -> Step {
        isSynced = false
        hasSkipped = false
        return .again
    }

    // MARK: Tags

    /// Consumes the tag that starts here; nil without one.
    private mutating func tag() -> Step? {
        // A second reference rather than a copy: keeps the bytes alive while self is mutated.
        let buffer = buffer
        let bytes = buffer.span.bytes
        let left = buffer.count - position
        let longest = 32
        // A few bytes may still turn out to be the start of a tag.
        if left < longest, !isFinished, Self.mayBegin(buffer[position...]) { return .needsMore }
        if let id3 = ID3v2Extent(bytes, at: position) {
            let length = id3.claimedEnd - position
            guard length <= Self.largestTag else { return pass(length) }
            guard left >= length else { return isFinished ? pass(length) : .needsMore }
            let whole = Array(buffer[position..<position + length])
            _ = pass(length)
            return .unit(.id3(whole))
        }
        if bytes.holds("TAG+", at: position) { return pass(227) }
        if bytes.holds("TAG", at: position) { return pass(128) }
        if bytes.holds("APETAGEX", at: position), left >= 32 {
            let isHeader = bytes.littleEndian32(at: position + 20) & 0x2000_0000 != 0
            return pass(32 + (isHeader ? Int(bytes.littleEndian32(at: position + 12)) : 0))
        }
        return nil
    }

    private mutating func pass(_ length: Int) -> Step {
        toSkip = length
        isAtStart = true
        return .again
    }

    private static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        ["ID3", "TAG", "APETAGEX"].contains { name in
            zip(name.utf8, bytes).allSatisfy { $0 == $1 }
        }
    }

    // MARK: Resynchronising

    private mutating func resynchronise() -> Step {
        if let tag = tag() { return tag }
        while true {
            guard buffer.count - position >= 4 else { return .needsMore }
            if let header = MPEGFrameHeader(buffer.span.bytes, at: position), header.layer == .layer3,
                !header.isFreeFormat
            {
                let found = FramePattern(header)
                let isOther = pattern.map { !$0.agrees(with: found) } ?? false
                switch chain(of: found, wanted: isOther ? 4 : 3) {
                case .needsMore: return .needsMore
                case .holds:
                    if hasSkipped, frameCount > 0 { resyncCount += 1 }
                    if isOther { isAtStart = true }
                    pattern = found
                    isSynced = true
                    return .again
                case .breaks: break
                }
            }
            position += 1
            skippedBytes += 1
            hasSkipped = true
            let stop = buffer.count - 3
            guard position < stop else { continue }
            // A tag may start before the next possible header.
            let next = buffer.span.bytes.firstCandidate(in: position..<stop) ?? stop
            skippedBytes += next - position
            position = next
            if next < stop, buffer[next] != 0xFF, let tag = tag() { return tag }
        }
    }

    private enum Chain { case holds, breaks, needsMore }

    private func chain(of pattern: FramePattern, wanted: Int) -> Chain {
        let bytes = buffer.span.bytes
        var place = position
        for count in 0..<wanted {
            guard place + 4 <= buffer.count else {
                // At the end and at the start of the stream, fewer headers are enough.
                guard isFinished else { return .needsMore }
                return place == buffer.count && count > (hasSkipped ? 1 : 0) ? .holds : .breaks
            }
            let length = pattern.length(of: bytes.bigEndian32(at: place))
            guard length > 0 else {
                let isTag = bytes.holds("TAG", at: place) || bytes.holds("ID3", at: place)
                return count > 0 && isTag ? .holds : .breaks
            }
            place += length
        }
        return .holds
    }
}

extension RawSpan {
    /// Returns the first position in `range` at which a frame or a tag may start.
    fileprivate func firstCandidate(in range: Range<Int>) -> Int? {
        for position in range {
            switch byte(at: position) {
            case 0xFF: return position
            case 0x49 where holds("ID3", at: position): return position
            case 0x54 where holds("TAG", at: position): return position
            case 0x41 where holds("APETAGEX", at: position): return position
            default: continue
            }
        }
        return nil
    }
}
