/// Writes numbers with seven bits per byte, low bits first, the top bit set on all but the last.
enum NumberCoding {
    static func put(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads such numbers with bounds checks.
struct NumberReader {
    let bytes: [UInt8]
    var position: Int

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(in bounds: ClosedRange<Int>) throws(OggAudioError) -> Int {
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
        throw OggAudioError(
            .malformedIndex, "the stored packet index is truncated or contains an invalid number")
    }

    mutating func bytes(_ count: Int) throws(OggAudioError) -> [UInt8] {
        guard count <= bytes.count - position else {
            throw OggAudioError(.malformedIndex, "the stored packet index is truncated")
        }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}
