/// Reads numbers of any number of bits from a Vorbis packet, low bits first (Vorbis I §2).
struct VorbisBitReader {
    private let bytes: [UInt8]
    /// The number of bits read.
    private var position: Int

    init(_ bytes: [UInt8], byte: Int) {
        self.bytes = bytes
        position = byte * 8
    }

    /// Reads a number of up to 32 bits; nil at the end of the packet.
    mutating func number(_ bits: Int) -> Int? {
        guard bits <= bytes.count * 8 - position else { return nil }
        var value = 0
        var taken = 0
        while taken < bits {
            let offset = position & 7
            let count = min(8 - offset, bits - taken)
            value |= (Int(bytes[position >> 3]) >> offset & (1 << count - 1)) << taken
            taken += count
            position += count
        }
        return value
    }

    /// Reads a flag; nil at the end of the packet.
    mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

    /// Passes a number of bits; nil if the packet has fewer.
    mutating func skip(_ bits: Int) -> Void? {
        guard bits >= 0, bits <= bytes.count * 8 - position else { return nil }
        position += bits
        return ()
    }

    /// The number of bits needed for a number (Vorbis I §9.2.1).
    static func bitCount(of number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }
}
