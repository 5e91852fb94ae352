/// The positions of all packets of a stream, packed: about two bytes for a usual packet, and four for a page.
public struct OggPacketIndex: Sendable, Hashable {
    /// Every 64th packet is found directly.
    private static let interval = 64

    /// The state of a reader before a packet.
    private struct Mark: Sendable, Hashable {
        var entry = 0
        var offset = 0
        var sample = 0
    }

    /// The codec of all links.
    public let codec: OggCodec
    /// Samples per channel in a usual packet.
    public let usualDuration: Int
    /// The links of the stream; they comprise all packets.
    public internal(set) var links: [OggLink] = []
    /// Number of packets.
    public private(set) var count = 0
    /// Total size of the packets in bytes.
    public private(set) var byteCount = 0
    /// Samples per channel that decoding all packets gives.
    public var decodedSampleCount: Int { end.sample }
    /// Samples per channel that a gapless player plays.
    public var sampleCount: Int { links.reduce(0) { $0 + $1.sampleCount } }

    /// Offset of the first page.
    let start: Int
    private var marks: [Mark] = []
    private var end: Mark
    /// For each packet its size · 4 + flags, its duration if that is unusual, and its gaps: their number, and for each the bytes of
    /// the packet before it and its size.
    private var entries: [UInt8] = []

    /// Creates an index without packets.
    /// - Parameters:
    ///   - codec: the codec.
    ///   - usualDuration: samples per channel in a usual packet.
    ///   - start: offset of the first page.
    init(codec: OggCodec, usualDuration: Int, start: Int) {
        self.codec = codec
        self.usualDuration = usualDuration
        self.start = start
        end = Mark(offset: start)
    }

    /// Appends a packet.
    /// - Parameters:
    ///   - ranges: its bytes: ranges in order, at or after the end of the last packet, none of them empty.
    ///   - duration: samples per channel.
    mutating func append(_ ranges: [Range<Int>], duration: Int) {
        if count % Self.interval == 0 {
            end.entry = entries.count
            marks.append(end)
        }
        var gaps: [Int] = []
        var size = 0
        for range in ranges {
            if range.lowerBound > end.offset { gaps += [size, range.lowerBound - end.offset] }
            size += range.count
            end.offset = range.upperBound
        }
        NumberCoding.put(
            size << 2 | (duration == usualDuration ? 0 : 2) | (gaps.isEmpty ? 0 : 1), to: &entries)
        if duration != usualDuration { NumberCoding.put(duration, to: &entries) }
        if !gaps.isEmpty {
            NumberCoding.put(gaps.count / 2, to: &entries)
            for number in gaps { NumberCoding.put(number, to: &entries) }
        }
        end.sample += duration
        count += 1
        byteCount += size
    }

    /// Returns a packet. Traps outside `0..<count`.
    public subscript(_ packet: Int) -> OggPacket {
        precondition((0..<count).contains(packet), "packet \(packet) is not in the index")
        var cursor = marks[packet / Self.interval]
        var found = next(&cursor)
        for _ in 0..<packet % Self.interval { found = next(&cursor) }
        return found
    }

    private func next(_ cursor: inout Mark) -> OggPacket {
        let head = number(&cursor.entry)
        let duration = head & 2 != 0 ? number(&cursor.entry) : usualDuration
        let size = head >> 2
        let sample = cursor.sample
        cursor.sample += duration
        guard head & 1 != 0 else {
            cursor.offset += size
            return OggPacket(
                ranges: [cursor.offset - size..<cursor.offset], startSample: sample, duration: duration)
        }
        var ranges: [Range<Int>] = []
        var done = 0
        for _ in 0..<number(&cursor.entry) {
            let before = number(&cursor.entry)
            if before > done { ranges.append(cursor.offset..<cursor.offset + before - done) }
            cursor.offset += before - done + number(&cursor.entry)
            done = before
        }
        if size > done { ranges.append(cursor.offset..<cursor.offset + size - done) }
        cursor.offset += size - done
        return OggPacket(ranges: ranges, startSample: sample, duration: duration)
    }

    /// The packed packets, for storage.
    var storedEntries: [UInt8] { entries }
    /// End of the last packet.
    var endOffset: Int { end.offset }

    private func number(_ place: inout Int) -> Int {
        var number = 0
        var shift = 0
        while true {
            let byte = entries[place]
            place += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    /// Calls a closure with each packet in order, until it returns false.
    /// - Parameter packets: the packets, by default all; must lie within `0..<count`.
    public func forEach<Failure: Error>(
        in packets: Range<Int>? = nil, _ body: (OggPacket) throws(Failure) -> Bool
    ) throws(Failure) {
        let packets = packets ?? 0..<count
        precondition(packets.clamped(to: 0..<count) == packets, "packets \(packets) are not in the index")
        guard !packets.isEmpty else { return }
        var cursor = marks[packets.lowerBound / Self.interval]
        for _ in 0..<packets.lowerBound % Self.interval { _ = next(&cursor) }
        for _ in packets {
            guard try body(next(&cursor)) else { return }
        }
    }

    /// Returns the first packet whose samples end after a sample, counted as ``OggPacket/startSample``; nil after the end.
    public func packet(containing sample: Int) -> Int? {
        guard sample >= 0, sample < decodedSampleCount else { return nil }
        // The last mark at or before the sample. Packets without samples may have the same place.
        var (low, high) = (0, marks.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if marks[middle].sample <= sample { low = middle } else { high = middle }
        }
        var found = low * Self.interval
        forEach(in: found..<count) { packet in
            guard packet.startSample + packet.duration <= sample else { return false }
            found += 1
            return true
        }
        return found
    }
}
