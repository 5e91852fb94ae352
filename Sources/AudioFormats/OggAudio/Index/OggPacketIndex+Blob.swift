extension OggPacketIndex {
    /// "OGIX", and the version of the format.
    private static let magic = Array("OGIX".utf8) + [1]
    /// No packet of audio is larger.
    static let longestPacket = 1 << 24
    /// No file is larger.
    private static let longestFile = 1 << 48

    /// Returns the index as bytes, which ``init(decoding:start:)`` reads. Offsets are relative to the first page.
    public func encoded() -> [UInt8] {
        var bytes = Self.magic
        for number in [codec == .opus ? 0 : 1, usualDuration, links.count] {
            NumberCoding.put(number, to: &bytes)
        }
        for link in links {
            for number in [link.packets.count, link.skippedSamples, link.sampleCount] {
                NumberCoding.put(number, to: &bytes)
            }
            let head = link.opusHead?.bytes ?? []
            NumberCoding.put(head.count, to: &bytes)
            bytes += head
        }
        return bytes + storedEntries
    }

    /// Reads an index.
    /// - Parameters:
    ///   - bytes: the result of ``encoded()``.
    ///   - start: offset of the first page in the file.
    /// - Throws: `malformedIndex`.
    public init(decoding bytes: [UInt8], start: Int = 0) throws(OggAudioError) {
        guard bytes.starts(with: Self.magic) else {
            throw OggAudioError(.malformedIndex, "the stored packet index is of an unknown version")
        }
        var reader = NumberReader(bytes: bytes, position: Self.magic.count)
        let codec: OggCodec = try reader.number(in: 0...1) == 0 ? .opus : .vorbis
        self.init(codec: codec, usualDuration: try reader.number(in: 0...1 << 13), start: start)
        var links: [OggLink] = []
        var packetCount = 0
        for _ in 0..<(try reader.number(in: 0...bytes.count)) {
            let link = try Self.link(&reader, codec, firstPacket: packetCount)
            packetCount = link.packets.upperBound
            links.append(link)
        }
        for link in links {
            let before = decodedSampleCount
            for _ in link.packets { try takePacket(&reader) }
            guard link.skippedSamples + link.sampleCount <= decodedSampleCount - before else {
                throw OggAudioError(.malformedIndex, "the stored packet index claims too many samples")
            }
        }
        self.links = links
        guard reader.isAtEnd else {
            throw OggAudioError(.malformedIndex, "the stored packet index has surplus bytes")
        }
    }

    private static func link(
        _ reader: inout NumberReader, _ codec: OggCodec, firstPacket: Int
    ) throws(OggAudioError) -> OggLink {
        let count = try reader.number(in: 1...max(1, reader.bytes.count))
        guard firstPacket + count <= reader.bytes.count else {
            throw OggAudioError(.malformedIndex, "the stored packet index claims too many packets")
        }
        let skipped = try reader.number(in: 0...longestFile)
        let samples = try reader.number(in: 0...longestFile)
        let size = try reader.number(in: codec == .opus ? 19...1 << 16 : 0...0)
        let bytes = try reader.bytes(size)
        var head: OpusHead?
        if codec == .opus {
            do throws(OggAudioError) {
                head = try OpusHead(bytes)
            } catch {
                throw OggAudioError(.malformedIndex, "the stored packet index has a damaged header")
            }
        }
        return OggLink(
            packets: firstPacket..<firstPacket + count, skippedSamples: skipped, sampleCount: samples,
            opusHead: head)
    }

    private mutating func takePacket(_ reader: inout NumberReader) throws(OggAudioError) {
        let head = try reader.number(in: 4...Self.longestPacket << 2 | 3)
        let size = head >> 2
        let duration = head & 2 != 0 ? try reader.number(in: 0...1 << 13) : usualDuration
        var position = endOffset
        var ranges: [Range<Int>] = []
        var done = 0
        if head & 1 != 0 {
            for place in 0..<(try reader.number(in: 1...size)) {
                let before = try reader.number(in: (place == 0 ? 0 : done + 1)...max(size - 1, done + 1))
                let gap = try reader.number(in: 1...1 << 40)
                guard before < size, position + gap < Self.longestFile else {
                    throw OggAudioError(.malformedIndex, "the stored packet index has an invalid gap")
                }
                if before > done { ranges.append(position..<position + before - done) }
                position += before - done + gap
                done = before
            }
        }
        ranges.append(position..<position + size - done)
        append(ranges, duration: duration)
    }
}
