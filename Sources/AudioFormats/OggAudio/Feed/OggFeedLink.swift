internal import AudioFrames

/// Reads one link of a stream, page by page, as its pages arrive.
struct OggFeedLink: Sendable {
    /// A part of a page.
    enum Item {
        case headers(OggDecoderHeaders)
        case comments([UInt8])
        case packet([UInt8], duration: Int, played: Range<Int>)
        case resumed(sample: Int)
    }

    let serial: UInt32
    /// The headers so far: without Vorbis' setup until it arrives.
    private(set) var headers: OggDecoderHeaders
    private var setup: VorbisSetup?
    private(set) var timeline: OggLinkTimeline
    private var packet: [UInt8] = []
    private var isInside = false
    private var lastSequence: UInt32
    private var packetNumber = 1
    private var previousBlockSize: Int?
    private var hasAudio = false
    private var isEnded = false
    /// Whether the place of the next packet is unknown since a jump.
    private var isResuming = false
    /// Samples still to be dropped at the start.
    private var skipped: Int

    /// Starts a link at its first page; nil if the page has no packet.
    /// - Throws: why the stream cannot be decoded.
    init?(_ page: OggPage, _ buffer: [UInt8]) throws(AudioFormatError) {
        var first: Range<Int>?
        page.forEachPart(buffer.span.bytes) { part, isEnd in
            if first == nil, isEnd { first = part }
        }
        guard let first, !first.isEmpty else { return nil }
        let bytes = Array(buffer[first])
        switch try OggStreamScanner.head(bytes) {
        case .opus(let head):
            headers = .opus(head)
            timeline = OggLinkTimeline(codec: .opus, skippedSamples: head.preSkip)
            skipped = head.preSkip
        case .vorbis(let head):
            headers = .vorbis(head, identification: bytes, setup: [])
            timeline = OggLinkTimeline(codec: .vorbis, skippedSamples: 0)
            skipped = 0
        }
        serial = page.serial
        lastSequence = page.sequence
    }

    /// Prepares for pages from elsewhere in the link.
    mutating func resume() {
        drop()
        previousBlockSize = nil
        isResuming = true
        isEnded = false
        skipped = 0
    }

    /// Takes the next page of the stream.
    mutating func take(_ page: OggPage, _ buffer: [UInt8]) -> [Item] {
        guard !isEnded else { return [] }
        if isResuming { return resume(behind: page, buffer) }
        let followsGap = page.sequence != lastSequence &+ 1
        lastSequence = page.sequence
        if followsGap { timeline.noteGap() }
        if followsGap || !page.isContinued { drop() }
        return items(packets(of: page, buffer), page)
    }

    /// Takes the first page after a jump: only the position at its end is known, so its packets are dropped.
    private mutating func resume(behind page: OggPage, _ buffer: [UInt8]) -> [Item] {
        lastSequence = page.sequence
        drop()
        let complete = packets(of: page, buffer)
        // The duration of Vorbis' next packet depends on the last one.
        if let last = complete.last { _ = duration(last) }
        // The last page says how many samples to drop, by the position before it.
        guard let position = page.granule, OggLinkTimeline.validGranules.contains(position), !page.isLast
        else {
            return []
        }
        isResuming = false
        timeline.resume(at: position)
        return [.resumed(sample: max(0, Int(position) - timeline.startPosition - timeline.skippedSamples))]
    }

    /// Returns the packets that end in a page; the beginning of another one is kept for the next page.
    private mutating func packets(of page: OggPage, _ buffer: [UInt8]) -> [[UInt8]] {
        var isOrphan = page.isContinued && !isInside
        var complete: [[UInt8]] = []
        page.forEachPart(buffer.span.bytes) { part, isEnd in
            if !isOrphan {
                isInside = true
                if packet.count <= OggFeed.largestHeader { packet += buffer[part] }
                if isEnd {
                    complete.append(packet)
                    drop()
                }
            } else if isEnd {
                isOrphan = false
            }
        }
        return complete
    }

    private mutating func drop() {
        packet = []
        isInside = false
    }

    private mutating func items(_ packets: [[UInt8]], _ page: OggPage) -> [Item] {
        var items: [Item] = []
        var audio: [(bytes: [UInt8], duration: Int)] = []
        for packet in packets {
            packetNumber += 1
            if let header = header(packet) {
                items += header
            } else if packet.count <= OggFeed.largestHeader, let duration = duration(packet) {
                if !hasAudio {
                    hasAudio = true
                    items.append(.headers(headers))
                }
                audio.append((packet, duration))
                timeline.add(duration: duration)
            }
        }
        if hasAudio {
            let before = timeline.skippedSamples
            timeline.settle(page.granule, isLast: page.isLast)
            // In Vorbis, only the first page says that samples must be dropped.
            skipped += timeline.skippedSamples - before
        }
        isEnded = page.isLast && hasAudio
        return items + timed(audio)
    }

    /// Returns the packets of a page with the samples that are played: not those dropped at the ends.
    private mutating func timed(_ audio: [(bytes: [UInt8], duration: Int)]) -> [Item] {
        var left = audio.reduce(0) { $0 + $1.duration } - timeline.trimmedSamples
        return audio.map { bytes, duration in
            let end = max(0, min(duration, left))
            left -= duration
            let start = min(skipped, duration)
            skipped -= start
            return .packet(bytes, duration: duration, played: min(start, end)..<end)
        }
    }

    // MARK: - Packets

    /// Returns what a header gives; nil for audio.
    private mutating func header(_ packet: [UInt8]) -> [Item]? {
        guard !hasAudio else { return nil }
        guard case .vorbis(let head, let identification, _) = headers else {
            guard packetNumber == 2, packet.starts(with: Array("OpusTags".utf8)) else { return nil }
            return packet.count > OggFeed.largestHeader ? [] : [.comments(Array(packet.dropFirst(8)))]
        }
        guard packet.count >= 7, let first = packet.first, first & 1 == 1 else { return nil }
        guard packet.count <= OggFeed.largestHeader else { return [] }
        if first == 3 { return [.comments(Array(packet.dropFirst(7)))] }
        if first == 5, setup == nil {
            setup = VorbisSetup(packet, channelCount: head.channelCount)
            headers = .vorbis(head, identification: identification, setup: packet)
        }
        return []
    }

    private mutating func duration(_ packet: [UInt8]) -> Int? {
        guard let first = packet.first else { return nil }
        switch headers {
        case .opus:
            return OpusPacket.duration(firstByte: first, secondByte: packet.dropFirst().first)
        case .vorbis(let head, _, _):
            guard let isLong = setup?.isLong(firstByte: first) else { return nil }
            let size = head.blockSizes[isLong ? 1 : 0]
            defer { previousBlockSize = size }
            return previousBlockSize.map { $0 / 4 + size / 4 } ?? 0
        }
    }
}
