public import AudioFrames

/// Extracts packets from Ogg that arrives in pieces, from a network or from a file that is read during playback.
///
/// The counterpart of ``OggAudioStream/scan(_:passed:)``, with the same packets. The length is the same as well, except in
/// damaged files whose ends drop samples of earlier pages. It needs memory for a page, a
/// packet and the headers.
public struct OggFeed: Sendable {
    /// The next unit in the stream.
    public enum Unit: Sendable {
        /// The headers of a link.
        case headers(OggDecoderHeaders)
        /// The comments of a link, without signature. Those larger than ``largestHeader`` are skipped.
        case comments([UInt8])
        /// A packet of audio.
        case packet(Packet)
        /// The first packet after a jump starts at this sample per channel, counted like ``Packet/startSample``.
        case resumed(atSample: Int)
    }

    /// A packet of audio, and which of its samples are played.
    public struct Packet: Sendable, Hashable {
        /// All bytes of the packet.
        public let bytes: [UInt8]
        /// The first sample per channel that is played, counted over all links.
        public let startSample: Int
        /// Samples per channel that decoding it gives.
        public let duration: Int
        /// Those of them that are played.
        public let played: Range<Int>
    }

    /// Maximum size of a header packet in bytes.
    public static let largestHeader = 1 << 22
    /// Number of consumed bytes to keep before the buffer is trimmed.
    private static let slack = 1 << 16

    /// Number of bytes that belong to no page.
    public private(set) var skippedBytes = 0
    /// Number of packets of audio so far.
    public private(set) var packetCount = 0
    /// Why no stream was chosen.
    public private(set) var refusal: AudioFormatError?

    private var buffer: [UInt8] = []
    private var position = 0
    private var isFinished = false
    private var units: [Unit] = []
    private var link: OggFeedLink?
    private var format: OggDecoderHeaders?
    private var isAtStart = false
    private var nextSample = 0

    /// Creates a feed at the start of a file.
    public init() {}

    /// Where the present link starts: its serial number, its first position and the samples dropped there. Nil before its headers.
    public var beginning: (serial: UInt32, position: Int, skipped: Int)? {
        link.map { ($0.serial, $0.timeline.startPosition, $0.timeline.skippedSamples) }
    }

    /// Returns the position of the last page in the end of a file; nil without one, or if it belongs to another stream.
    public static func lastPosition(in tail: [UInt8], serial: UInt32) -> Int? {
        var reader = OggPageReader(position: 0)
        var found: Int?
        while let page = reader.next(tail.span.bytes) {
            if page.isFirst || page.serial != serial {
                // Another stream next to this one, or another link.
                if page.isFirst { found = nil }
            } else if let granule = page.granule, granule >= 0, granule < 1 << 56 {
                found = Int(granule)
            }
        }
        return found
    }

    /// Whether bytes are the beginning of an Ogg file.
    public static func isBeginning(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("OggS".utf8)) }

    /// Appends bytes that follow the earlier ones.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        if position > Self.slack {
            buffer.removeFirst(position)
            position = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Continues with bytes from elsewhere in the present link, which begins the file, from any offset before its last page.
    ///
    /// The packets of the first page found are dropped, since only the position at its end is known: ``Unit/resumed(atSample:)``.
    public mutating func resume() {
        buffer = []
        position = 0
        units = []
        isFinished = false
        link?.resume()
    }

    /// Says that nothing more follows.
    public mutating func finish() { isFinished = true }

    /// Returns the next unit; nil if more bytes are needed, or at the end.
    public mutating func next() -> Unit? {
        while units.isEmpty, let page = nextPage() { take(page) }
        return units.isEmpty ? nil : units.removeFirst()
    }

    // MARK: - Pages

    private mutating func nextPage() -> OggPage? {
        let bytes = buffer
        while true {
            guard
                let found = bytes.span.bytes.firstCapturePattern(
                    in: min(position, bytes.count)..<bytes.count)
            else {
                // The pattern may have begun.
                let kept = isFinished ? 0 : 3
                skip(to: max(position, bytes.count - kept))
                return nil
            }
            skip(to: found)
            let state = Self.state(bytes, at: found, isFinished: isFinished)
            switch state {
            case .page(let page):
                position = page.end
                return page
            case .incomplete: return nil
            case .none: skip(to: found + 4)
            }
        }
    }

    private mutating func skip(to offset: Int) {
        skippedBytes += offset - position
        position = offset
    }

    private enum State {
        case page(OggPage)
        case incomplete
        case none
    }

    private static func state(_ bytes: [UInt8], at offset: Int, isFinished: Bool) -> State {
        guard let page = OggPage(bytes.span.bytes, at: offset), page.end <= bytes.count else {
            let isLong = bytes.count - offset > OggPage.fixedHeaderSize + 255 * 256
            return isFinished || isLong ? .none : .incomplete
        }
        return page.isIntact(bytes.span.bytes) ? .page(page) : .none
    }

    private mutating func take(_ page: OggPage) {
        if page.isFirst {
            if !isAtStart { link = nil }
            isAtStart = true
            guard link == nil else { return }
            do throws(AudioFormatError) {
                guard let begun = try OggFeedLink(page, buffer) else { return }
                if let format, !format.isSameFormat(as: begun.headers) { return }
                link = begun
            } catch {
                refusal = refusal ?? error
            }
            return
        }
        isAtStart = false
        guard link?.serial == page.serial, let found = link?.take(page, buffer) else { return }
        for item in found { take(item) }
    }

    private mutating func take(_ item: OggFeedLink.Item) {
        switch item {
        case .headers(let headers):
            format = headers
            units.append(.headers(headers))
        case .comments(let bytes): units.append(.comments(bytes))
        case .resumed(let sample):
            nextSample = sample
            units.append(.resumed(atSample: sample))
        case .packet(let bytes, let duration, let played):
            units.append(
                .packet(
                    Packet(bytes: bytes, startSample: nextSample, duration: duration, played: played)))
            nextSample += played.count
            packetCount += 1
        }
    }
}
