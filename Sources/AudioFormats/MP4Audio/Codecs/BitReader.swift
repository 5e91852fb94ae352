/// Reads bits from the highest to the lowest; reading past the end gives nil.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Number of bits left.
    var remaining: Int { bytes.count * 8 - position }

    /// Returns the next number of up to 32 bits.
    mutating func number(_ bitCount: Int) -> Int? {
        guard bitCount <= remaining else { return nil }
        var number = 0
        for _ in 0..<bitCount {
            number = number << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return number
    }

    /// Returns the next bit.
    mutating func flag() -> Bool? { number(1).map { $0 == 1 } }
}
