/// Numbers with seven bits per byte, low bits first, the top bit set on all but the last.
enum PackedNumbers {
    /// Appends a number, which must not be negative.
    static func put(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Returns the number at a place of bytes that were written by `put`, and moves the place behind it.
    static func next(in bytes: [UInt8], _ place: inout Int) -> Int {
        var number = 0
        var shift = 0
        while true {
            let byte = bytes[place]
            place += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    /// Moves the sign to the lowest bit.
    static func folded(_ number: Int) -> Int { number << 1 ^ number >> (Int.bitWidth - 1) }

    /// Reverses `folded`.
    static func unfolded(_ number: Int) -> Int { number >> 1 ^ -(number & 1) }

    /// Reads numbers with bounds checks.
    struct Reader {
        let bytes: [UInt8]
        var position: Int

        var isAtEnd: Bool { position == bytes.count }

        /// Returns the next number.
        /// - Throws: `malformedIndex` if it is cut off or out of bounds.
        mutating func number(in bounds: ClosedRange<Int>) throws(MP4AudioError) -> Int {
            var number = 0
            var shift = 0
            while position < bytes.count, shift < 56 {
                let byte = bytes[position]
                position += 1
                number |= Int(byte & 0x7F) << shift
                shift += 7
                guard byte & 0x80 == 0 else { continue }
                guard bounds.contains(number) else { break }
                return number
            }
            throw MP4AudioError(
                .malformedIndex, "the stored frame index is truncated or contains an invalid number")
        }

        /// Returns the next so many bytes.
        /// - Throws: `malformedIndex` if they are cut off.
        mutating func array(_ count: Int) throws(MP4AudioError) -> [UInt8] {
            guard count <= bytes.count - position else {
                throw MP4AudioError(.malformedIndex, "the stored frame index is truncated")
            }
            defer { position += count }
            return Array(bytes[position..<position + count])
        }
    }
}
