internal import AudioFrames

/// Reads one link of a stream, page by page: its headers, its packets and its length.
struct OggLinkScanner {
    /// The contents of the stream's first page.
    enum Head: Equatable {
        case opus(OpusHead)
        case vorbis(VorbisIdentification)

        var codec: OggCodec {
            switch self {
            case .opus: .opus
            case .vorbis: .vorbis
            }
        }
        var channelCount: Int {
            switch self {
            case .opus(let head): head.channelCount
            case .vorbis(let head): head.channelCount
            }
        }
        var sampleRate: Int {
            switch self {
            case .opus: OpusHead.sampleRate
            case .vorbis(let head): head.sampleRate
            }
        }
    }

    /// Setup headers have some kilobytes; the largest that is read.
    private static let largestSetup = 1 << 22

    let serial: UInt32
    let head: Head
    /// The packets that a decoder needs before the audio.
    private(set) var headers: OggHeaders
    /// Number of invalid packets.
    private(set) var invalidPacketCount = 0
    /// Whether the page that is marked as the last has been read.
    private(set) var isEnded = false
    /// Whether audio was found.
    private(set) var firstPacket: Int?
    private(set) var timeline: OggLinkTimeline
    private var assembler: OggPacketAssembler
    /// Number of packets so far, with the one on the first page.
    private var packetNumber = 1
    private var setup: VorbisSetup?
    private var previousBlockSize: Int?

    /// Starts a link at its first page, whose packet was read.
    init(_ page: OggPage, head: Head, packet: [Range<Int>]) {
        serial = page.serial
        self.head = head
        headers = OggHeaders(identification: packet, setup: [])
        assembler = OggPacketAssembler(after: page)
        if case .opus(let opus) = head {
            timeline = OggLinkTimeline(codec: .opus, skippedSamples: opus.preSkip)
        } else {
            timeline = OggLinkTimeline(codec: .vorbis, skippedSamples: 0)
        }
    }

    /// Number of places where pages are missing.
    var gapCount: Int { assembler.gapCount }
    /// Whether the link ends inside a packet.
    var endsInsidePacket: Bool { assembler.isInside }

    /// Takes a page of the stream and adds its packets of audio to an index, which is created with the first.
    mutating func take(_ page: OggPage, _ bytes: RawSpan, _ index: inout OggPacketIndex?) {
        guard !isEnded else {
            invalidPacketCount += 1
            return
        }
        var packets: [OggPacketAssembler.Packet] = []
        assembler.take(page, bytes) { packets.append($0) }
        if assembler.followsGap { timeline.noteGap() }
        for packet in packets { take(packet, bytes, &index) }
        // Pages of headers state 0.
        if firstPacket != nil { timeline.settle(page.granule, isLast: page.isLast) }
        isEnded = page.isLast && firstPacket != nil
    }

    private mutating func take(
        _ packet: OggPacketAssembler.Packet, _ bytes: RawSpan, _ index: inout OggPacketIndex?
    ) {
        packetNumber += 1
        guard !isHeader(packet, bytes) else { return }
        guard !packet.isOversized, let duration = duration(packet, bytes) else {
            invalidPacketCount += 1
            return
        }
        if index == nil {
            index = OggPacketIndex(codec: head.codec, usualSamples: usual(duration), start: packet.pageStart)
        }
        if firstPacket == nil { firstPacket = index?.packets.count ?? 0 }
        index?.packets.append(packet.ranges, sampleCount: duration)
        timeline.add(duration: duration)
    }

    /// The first packet of Vorbis gives no samples; most packets are long blocks after long blocks.
    private func usual(_ duration: Int) -> Int {
        if case .vorbis(let head) = head { return head.blockSizes[1] / 2 }
        return duration
    }

    // MARK: - Headers

    private mutating func isHeader(_ packet: OggPacketAssembler.Packet, _ bytes: RawSpan) -> Bool {
        guard firstPacket == nil, let start = packet.ranges.first?.lowerBound else { return false }
        guard case .vorbis(let identification) = head else {
            return packetNumber == 2 && bytes.holds("OpusTags", at: start)
        }
        guard packet.size >= 7, bytes.octet(start) & 1 == 1 else { return false }
        if setup == nil, bytes.octet(start) == 5, packet.size <= Self.largestSetup {
            let content = OggPacket(ranges: packet.ranges, startSample: 0, sampleCount: 0).bytes(of: bytes)
            setup = VorbisSetup(content, channelCount: identification.channelCount)
            headers.setup = packet.ranges
        }
        return true
    }

    // MARK: - Durations

    /// Returns the samples of a packet; nil if it is no audio.
    private mutating func duration(_ packet: OggPacketAssembler.Packet, _ bytes: RawSpan) -> Int? {
        guard let range = packet.ranges.first else { return nil }
        let first = bytes.octet(range.lowerBound)
        switch head {
        case .opus:
            let second =
                range.count > 1 ? range.lowerBound + 1 : packet.ranges.dropFirst().first?.lowerBound
            return OpusPacket.duration(firstByte: first, secondByte: second.map { bytes.octet($0) })
        case .vorbis(let identification):
            guard let isLong = setup?.isLong(firstByte: first) else { return nil }
            let size = identification.blockSizes[isLong ? 1 : 0]
            defer { previousBlockSize = size }
            return previousBlockSize.map { $0 / 4 + size / 4 } ?? 0
        }
    }
}
