/// Numbers with seven bits per byte, low bits first, the top bit set on all but the last byte: the form of stored frame indexes.
public enum PackedNumbers {
    /// Appends a number, which must not be negative.
    public static func put(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Moves the sign to the lowest bit, so that small numbers of either sign take few bytes.
    public static func folded(_ number: Int) -> Int { number << 1 ^ number >> (Int.bitWidth - 1) }

    /// Reverses ``folded(_:)``.
    public static func unfolded(_ number: Int) -> Int { number >> 1 ^ -(number & 1) }
}
