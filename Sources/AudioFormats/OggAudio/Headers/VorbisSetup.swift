/// The modes in the setup header of a Vorbis stream, which decide the block size of each packet (Vorbis I §4.2.4).
///
/// Everything before the modes is read only to find them.
struct VorbisSetup {
    /// Whether each mode has long blocks.
    let modes: [Bool]

    /// Reads a packet; nil if it is damaged.
    init?(_ packet: [UInt8], channelCount: Int) {
        guard packet.starts(with: [5] + Array("vorbis".utf8)) else { return nil }
        var reader = VorbisSetupReader(bits: VorbisBitReader(packet, byte: 7), channelCount: channelCount)
        guard let modes = reader.modes() else { return nil }
        self.modes = modes
    }

    /// Whether an audio packet is a long block; nil for other and invalid packets.
    func isLong(firstByte: UInt8) -> Bool? {
        guard firstByte & 1 == 0 else { return nil }
        let bits = VorbisBitReader.bitCount(of: modes.count - 1)
        let mode = Int(firstByte >> 1) & (1 << bits - 1)
        return mode < modes.count ? modes[mode] : nil
    }
}

/// Walks through a setup header. Each step returns nil if the header is damaged.
private struct VorbisSetupReader {
    var bits: VorbisBitReader
    let channelCount: Int

    mutating func modes() -> [Bool]? {
        guard let codebooks = bits.number(8), repeated(codebooks + 1, { $0.codebook() }) != nil,
            let times = bits.number(6), repeated(times + 1, { $0.bits.number(16).map { _ in } }) != nil,
            let floors = bits.number(6), repeated(floors + 1, { $0.floor() }) != nil,
            let residues = bits.number(6), repeated(residues + 1, { $0.residue() }) != nil,
            let mappings = bits.number(6), repeated(mappings + 1, { $0.mapping() }) != nil,
            let count = bits.number(6)
        else { return nil }
        var modes: [Bool] = []
        for _ in 0...count {
            // The block size, the types of window and transform, and the mapping.
            guard let isLong = bits.flag(), bits.number(16) == 0, bits.number(16) == 0,
                let mapping = bits.number(8), mapping <= mappings
            else { return nil }
            modes.append(isLong)
        }
        return bits.flag() == true ? modes : nil
    }

    private mutating func repeated(_ count: Int, _ step: (inout Self) -> Void?) -> Void? {
        for _ in 0..<count where step(&self) == nil { return nil }
        return ()
    }

    // MARK: - Codebooks (§3.2.1)

    private mutating func codebook() -> Void? {
        guard bits.number(24) == 0x564342, let dimensions = bits.number(16), let entries = bits.number(24),
            let isOrdered = bits.flag(),
            (isOrdered ? orderedLengths(entries) : lengths(entries)) != nil,
            let lookup = bits.number(4), lookup <= 2
        else { return nil }
        guard lookup > 0 else { return () }
        guard bits.skip(64) != nil, let valueBits = bits.number(4), bits.skip(1) != nil else { return nil }
        let count = lookup == 1 ? Self.lookupCount(entries, dimensions) : entries * dimensions
        return bits.skip(count * (valueBits + 1))
    }

    private mutating func orderedLengths(_ entries: Int) -> Void? {
        guard bits.skip(5) != nil else { return nil }
        var entry = 0
        // Lengths of codewords are at most 32.
        for _ in 0..<32 where entry < entries {
            guard let count = bits.number(VorbisBitReader.bitCount(of: entries - entry)) else { return nil }
            entry += count
        }
        return entry == entries ? () : nil
    }

    private mutating func lengths(_ entries: Int) -> Void? {
        guard let isSparse = bits.flag() else { return nil }
        guard isSparse else { return bits.skip(5 * entries) }
        for _ in 0..<entries {
            guard let isUsed = bits.flag() else { return nil }
            if isUsed, bits.skip(5) == nil { return nil }
        }
        return ()
    }

    /// The largest number whose power is not above the number of entries (§9.2.3).
    private static func lookupCount(_ entries: Int, _ dimensions: Int) -> Int {
        guard dimensions > 0, entries > 0 else { return 0 }
        func isWithin(_ root: Int) -> Bool {
            var power = 1
            for _ in 0..<dimensions {
                power *= root
                if power > entries { return false }
                if root <= 1 { return true }
            }
            return true
        }
        var (low, high) = (0, entries + 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isWithin(middle) { low = middle } else { high = middle }
        }
        return low
    }

    // MARK: - Floors, residues and mappings (§6.2.1, §7.2.2, §8.6.1, §4.2.4)

    private mutating func floor() -> Void? {
        switch bits.number(16) {
        case 0:
            guard bits.skip(8 + 16 + 16 + 6 + 8) != nil, let books = bits.number(4) else { return nil }
            return bits.skip(8 * (books + 1))
        case 1: return floor1()
        default: return nil
        }
    }

    private mutating func floor1() -> Void? {
        guard let partitions = bits.number(5) else { return nil }
        var classes: [Int] = []
        for _ in 0..<partitions {
            guard let number = bits.number(4) else { return nil }
            classes.append(number)
        }
        var dimensions: [Int] = []
        for _ in 0..<(classes.max().map { $0 + 1 } ?? 0) {
            guard let dimension = bits.number(3), let subclasses = bits.number(2) else { return nil }
            if subclasses > 0, bits.skip(8) == nil { return nil }
            guard bits.skip(8 << subclasses) != nil else { return nil }
            dimensions.append(dimension + 1)
        }
        guard bits.skip(2) != nil, let rangeBits = bits.number(4) else { return nil }
        return bits.skip(rangeBits * classes.reduce(0) { $0 + dimensions[$1] })
    }

    private mutating func residue() -> Void? {
        guard let type = bits.number(16), type <= 2, bits.skip(24 + 24 + 24) != nil,
            let classifications = bits.number(6), bits.skip(8) != nil
        else { return nil }
        var books = 0
        for _ in 0...classifications {
            guard let low = bits.number(3), let hasHigh = bits.flag() else { return nil }
            guard let high = hasHigh ? bits.number(5) : 0 else { return nil }
            books += low.nonzeroBitCount + high.nonzeroBitCount
        }
        return bits.skip(8 * books)
    }

    private mutating func mapping() -> Void? {
        guard bits.number(16) == 0, let hasSubmaps = bits.flag() else { return nil }
        guard let submaps = hasSubmaps ? bits.number(4) : 0, let isCoupled = bits.flag() else { return nil }
        if isCoupled {
            guard let steps = bits.number(8) else { return nil }
            let width = VorbisBitReader.bitCount(of: channelCount - 1)
            guard bits.skip((steps + 1) * 2 * width) != nil else { return nil }
        }
        guard bits.number(2) == 0 else { return nil }
        if submaps > 0, bits.skip(4 * channelCount) == nil { return nil }
        return bits.skip(24 * (submaps + 1))
    }
}
