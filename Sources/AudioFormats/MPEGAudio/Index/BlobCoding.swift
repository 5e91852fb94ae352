/// Writes the numbers of a serialised index.
struct BlobWriter {
    var bytes: [UInt8]

    /// Writes a number with seven bits per byte, low bits first, the top bit set on all but the last. `number` must not be
    /// negative.
    mutating func put(_ number: Int) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Reads the numbers of a serialised index with bounds checks.
struct BlobReader {
    let bytes: [UInt8]
    var position: Int

    var isAtEnd: Bool { position == bytes.count }

    mutating func number(in bounds: ClosedRange<Int>) throws(MPEGAudioError) -> Int {
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
        throw MPEGAudioError(
            .malformedIndex, "the stored frame index is truncated or contains an invalid number",
            offset: position)
    }

    mutating func take(_ count: Int) throws(MPEGAudioError) -> [UInt8] {
        guard count <= bytes.count - position else {
            throw MPEGAudioError(.malformedIndex, "the stored frame index is truncated", offset: position)
        }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }
}

/// The CRC-32 of ISO/IEC 3309, as used by zip and PNG.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
        }
    }
}
