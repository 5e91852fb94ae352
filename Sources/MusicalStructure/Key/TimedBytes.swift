/// Bytes at times, for lists in the database: version 1, then for each entry the time in milliseconds in four bytes, little-endian, and
/// as many bytes as the list has per entry.
enum TimedBytes {
    /// An entry of a list.
    struct Entry {
        /// Time in seconds; stored up to 4,000,000 s.
        let seconds: Double
        let bytes: [UInt8]
    }

    private static let version: UInt8 = 1
    private static let timeSize = 4

    static func encode(_ entries: [Entry]) -> [UInt8] {
        entries.reduce(into: [version]) { all, entry in
            let milliseconds = UInt32(min(max(entry.seconds * 1000, 0), 4e9).rounded())
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                all.append(UInt8(truncatingIfNeeded: milliseconds >> shift))
            }
            all += entry.bytes
        }
    }

    /// Returns the entries; nil if the bytes are not in this format.
    /// - Parameter count: bytes per entry.
    static func decode(_ all: [UInt8], count: Int) -> [Entry]? {
        let size = timeSize + count
        guard all.first == version, all.count % size == 1 else { return nil }
        return stride(from: 1, to: all.count, by: size).map { start in
            let milliseconds = (0..<timeSize).reduce(UInt32(0)) {
                $0 | UInt32(all[start + $1]) << UInt32(8 * $1)
            }
            return Entry(
                seconds: Double(milliseconds) / 1000, bytes: Array(all[start + timeSize..<start + size]))
        }
    }

    /// Returns a probability in 255ths.
    static func share(_ probability: Double) -> UInt8 { UInt8((min(max(probability, 0), 1) * 255).rounded()) }
}
