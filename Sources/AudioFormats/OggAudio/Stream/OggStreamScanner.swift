internal import AudioFrames

/// Reads the pages of a file: finds the first Opus or Vorbis stream in each link, and joins the links.
///
/// The first link with audio decides codec, sample rate and channel count. Links that differ in one of them are left out, the
/// others are played one after the other. Streams multiplexed with the chosen one are ignored.
struct OggStreamScanner {
    /// Interval in bytes at which progress is reported to the caller.
    private static let reportInterval = 1 << 22

    private(set) var index: OggPacketIndex?
    private(set) var headers: [OggHeaders] = []
    private(set) var diagnostics = OggDiagnostics()
    /// The format of all links.
    private(set) var format: OggLinkScanner.Head?
    /// End of the last page of the stream.
    private(set) var endByte = 0
    /// Why no stream was chosen.
    private(set) var refusal: AudioFormatError?

    private var reader: OggPageReader
    private var link: OggLinkScanner?
    private var links: [OggLink] = []
    /// Whether only first pages have been read since the link began.
    private var isAtStart = false

    init(position: Int) { reader = OggPageReader(position: position) }

    /// Reads all pages.
    mutating func run(_ bytes: RawSpan, passed: (Int) -> Void) {
        var reported = reader.position
        while let page = reader.next(bytes) {
            if page.isFirst {
                takeFirst(page, bytes)
            } else {
                isAtStart = false
                take(page, bytes)
            }
            if page.end - reported >= Self.reportInterval {
                reported = page.start
                passed(reported)
            }
        }
        diagnostics.isTruncated = reader.isTruncated || (link?.endsInsidePacket ?? false)
        diagnostics.hasNoLastPage = link.map { !$0.isEnded } ?? false
        finishLink()
        index?.links = links
        diagnostics.skippedBytes = reader.skippedBytes
        diagnostics.resyncCount = reader.resyncCount
        diagnostics.damagedPageCount = reader.damagedPageCount
        diagnostics.trailingBytes = bytes.byteCount - reader.endOfPages
    }

    private mutating func take(_ page: OggPage, _ bytes: RawSpan) {
        guard link?.serial == page.serial else {
            diagnostics.foreignPageCount += 1
            return
        }
        link?.take(page, bytes, &index)
        if link?.firstPacket != nil {
            format = link?.head
            endByte = page.end
        }
    }

    // MARK: - Links

    private mutating func takeFirst(_ page: OggPage, _ bytes: RawSpan) {
        if !isAtStart { finishLink() }
        isAtStart = true
        guard link == nil else {
            diagnostics.foreignPageCount += 1
            return
        }
        guard let (head, packet) = head(on: page, bytes) else { return }
        if let format, !Self.isSame(format, head) {
            diagnostics.differingLinkCount += 1
            return
        }
        link = OggLinkScanner(page, head: head, packet: packet)
    }

    private static func isSame(_ one: OggLinkScanner.Head, _ other: OggLinkScanner.Head) -> Bool {
        one.codec == other.codec && one.sampleRate == other.sampleRate
            && one.channelCount == other.channelCount
    }

    private mutating func finishLink() {
        defer { link = nil }
        guard let link else { return }
        diagnostics.gapCount += link.gapCount
        diagnostics.invalidPacketCount += link.invalidPacketCount
        guard let first = link.firstPacket, let count = index?.packets.count else { return }
        var opusHead: OpusHead?
        if case .opus(let head) = link.head { opusHead = head }
        links.append(
            OggLink(
                packets: first..<count, skippedSamples: link.timeline.availableSkip,
                sampleCount: link.timeline.sampleCount, opusHead: opusHead))
        headers.append(link.headers)
    }

    /// Returns the header on the first page of a stream, if the stream can be decoded.
    private mutating func head(
        on page: OggPage, _ bytes: RawSpan
    ) -> (OggLinkScanner.Head, [Range<Int>])? {
        var packet: Range<Int>?
        page.forEachPart(bytes) { part, isEnd in
            if packet == nil, isEnd { packet = part }
        }
        guard let packet, !packet.isEmpty else { return nil }
        let content = bytes.extracting(packet).withUnsafeBytes { Array($0) }
        do throws(AudioFormatError) {
            return (try Self.head(content), [packet])
        } catch {
            refusal = refusal ?? error
            return nil
        }
    }

    /// Reads the first packet of a stream.
    /// - Throws: why the stream cannot be decoded.
    static func head(_ packet: [UInt8]) throws(AudioFormatError) -> OggLinkScanner.Head {
        if packet.starts(with: Array("OpusHead".utf8)) { return .opus(try OpusHead(packet)) }
        if packet.starts(with: [1] + Array("vorbis".utf8)) {
            guard let identification = VorbisIdentification(packet) else {
                throw AudioFormatError(.noHeaders, "the Vorbis identification header is damaged")
            }
            return .vorbis(identification)
        }
        let others: [(StaticString, String)] = [
            ("\u{7F}FLAC", "FLAC"), ("Speex   ", "Speex"), ("CELT    ", "CELT"), ("PCM     ", "PCM"),
        ]
        for (marker, name) in others where packet.span.bytes.holds(marker, at: 0) {
            throw AudioFormatError(
                .unsupportedCodec, "\(name) in Ogg is not supported: only Opus and Vorbis are")
        }
        throw AudioFormatError(.noAudio, "the Ogg file contains neither Opus nor Vorbis")
    }
}
