public import AudioFrames

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
        for number in [codec == .opus ? 0 : 1, packets.usualSamples, links.count] {
            PackedNumbers.put(number, to: &bytes)
        }
        for link in links {
            for number in [link.packets.count, link.skippedSamples, link.sampleCount] {
                PackedNumbers.put(number, to: &bytes)
            }
            let head = link.opusHead?.bytes ?? []
            PackedNumbers.put(head.count, to: &bytes)
            bytes += head
        }
        return bytes + packets.entries
    }

    /// Reads an index.
    /// - Parameters:
    ///   - bytes: the result of ``encoded()``.
    ///   - start: offset of the first page in the file.
    /// - Throws: `malformedIndex`.
    public init(decoding bytes: [UInt8], start: Int = 0) throws(AudioFormatError) {
        guard bytes.starts(with: Self.magic) else {
            throw AudioFormatError(.malformedIndex, "the stored frame index is of an unknown version")
        }
        var reader = PackedNumberReader(bytes, position: Self.magic.count)
        let codec: OggCodec = try reader.number(in: 0...1) == 0 ? .opus : .vorbis
        self.init(codec: codec, usualSamples: try reader.number(in: 0...1 << 13), start: start)
        var links: [OggLink] = []
        var packetCount = 0
        for _ in 0..<(try reader.number(in: 0...bytes.count)) {
            let link = try Self.link(&reader, codec, firstPacket: packetCount)
            packetCount = link.packets.upperBound
            links.append(link)
        }
        for link in links {
            let before = packets.sampleCount
            for _ in link.packets { try takePacket(&reader) }
            guard link.skippedSamples + link.sampleCount <= packets.sampleCount - before else {
                throw reader.failure("claims too many samples")
            }
        }
        self.links = links
        try reader.finish()
    }

    /// Returns the number of links of an index, without reading it whole; nil if its head is damaged.
    /// - Parameter bytes: the first 32 bytes, at least, of the result of ``encoded()``.
    public static func linkCount(encoded bytes: [UInt8]) -> Int? {
        guard bytes.starts(with: magic) else { return nil }
        var reader = PackedNumberReader(bytes, position: magic.count)
        do throws(AudioFormatError) {
            _ = try reader.number(in: 0...1)
            _ = try reader.number(in: 0...1 << 13)
            return try reader.number(in: 0...longestFile)
        } catch {
            return nil
        }
    }

    private static func link(
        _ reader: inout PackedNumberReader, _ codec: OggCodec, firstPacket: Int
    ) throws(AudioFormatError) -> OggLink {
        let count = try reader.number(in: 1...max(1, reader.bytes.count))
        guard firstPacket + count <= reader.bytes.count else {
            throw reader.failure("claims too many packets")
        }
        let skipped = try reader.number(in: 0...longestFile)
        let samples = try reader.number(in: 0...longestFile)
        let size = try reader.number(in: codec == .opus ? 19...1 << 16 : 0...0)
        let bytes = try reader.array(size)
        var head: OpusHead?
        if codec == .opus {
            do throws(AudioFormatError) {
                head = try OpusHead(bytes)
            } catch {
                throw reader.failure("has a damaged header")
            }
        }
        return OggLink(
            packets: firstPacket..<firstPacket + count, skippedSamples: skipped, sampleCount: samples,
            opusHead: head)
    }

    private mutating func takePacket(_ reader: inout PackedNumberReader) throws(AudioFormatError) {
        let head = try reader.number(in: 4...Self.longestPacket << 2 | 3)
        let size = head >> 2
        let duration = head & 2 != 0 ? try reader.number(in: 0...1 << 13) : packets.usualSamples
        var position = packets.endOffset
        var ranges: [Range<Int>] = []
        var done = 0
        if head & 1 != 0 {
            for place in 0..<(try reader.number(in: 1...size)) {
                let before = try reader.number(in: (place == 0 ? 0 : done + 1)...max(size - 1, done + 1))
                let gap = try reader.number(in: 1...1 << 40)
                guard before < size, position + gap < Self.longestFile else {
                    throw reader.failure("has an invalid gap")
                }
                if before > done { ranges.append(position..<position + before - done) }
                position += before - done + gap
                done = before
            }
        }
        ranges.append(position..<position + size - done)
        packets.append(ranges, sampleCount: duration)
    }
}
