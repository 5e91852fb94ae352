/// Phrases as bytes, for the database: version 1, then for each boundary the time in milliseconds in four bytes, little-endian, and
/// the confidence in 255ths.
package enum PhraseCoding {
    private static let version: UInt8 = 1
    private static let size = 5

    package static func encode(_ phrases: [PhraseBoundary]) -> [UInt8] {
        phrases.reduce(into: [version]) { bytes, phrase in
            let milliseconds = UInt32(min(max(phrase.seconds * 1000, 0), 4e9).rounded())
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: milliseconds >> shift))
            }
            bytes.append(UInt8((min(max(phrase.confidence, 0), 1) * 255).rounded()))
        }
    }

    /// The boundaries; nil if the bytes are not in this format.
    package static func decode(_ bytes: [UInt8]) -> [PhraseBoundary]? {
        guard bytes.first == version, bytes.count % size == 1 else { return nil }
        return stride(from: 1, to: bytes.count, by: size).map { start in
            let milliseconds = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
            return PhraseBoundary(
                seconds: Double(milliseconds) / 1000, confidence: Double(bytes[start + 4]) / 255)
        }
    }
}
