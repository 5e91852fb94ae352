/// Beat times as a blob: whole microseconds, each stored as the change of the distance between beats, in
/// LEB128 with zigzag encoding. A steady beat takes a byte or two, a tenth of a list of doubles.
///
/// Layout: version byte 1, count, then `count` values; the first value is the first time, the second the
/// first distance, each further one the difference between a distance and the previous one.
enum BeatCoding {
    private static let version: UInt8 = 1
    private static let unitsPerSecond = 1_000_000.0

    static func encode(_ seconds: [Double]) -> [UInt8] {
        var bytes = [version]
        append(UInt64(seconds.count), to: &bytes)
        var previous = 0
        var distance = 0
        for time in seconds {
            // No track is longer than this limit of about 30 years.
            let units = Int(max(-1e15, min(1e15, (time * unitsPerSecond).rounded())))
            let change = units - previous - distance
            append(UInt64(bitPattern: Int64(change << 1 ^ change >> 63)), to: &bytes)
            distance = previous == 0 && distance == 0 ? 0 : units - previous
            previous = units
        }
        return bytes
    }

    /// The times; nil if the bytes are not in this format.
    static func decode(_ bytes: [UInt8]) -> [Double]? {
        guard bytes.first == version else { return nil }
        var rest = bytes.dropFirst()
        guard let count = takeNumber(&rest), count <= UInt64(rest.count) else { return nil }
        var seconds: [Double] = []
        seconds.reserveCapacity(Int(count))
        var previous = 0
        var distance = 0
        for _ in 0..<count {
            guard let value = takeNumber(&rest) else { return nil }
            let change = Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
            let (units, overflow) = change.addingReportingOverflow(previous + distance)
            guard !overflow, abs(units) <= 1_000_000_000_000_000 else { return nil }
            distance = previous == 0 && distance == 0 ? 0 : units - previous
            previous = units
            seconds.append(Double(units) / unitsPerSecond)
        }
        return rest.isEmpty ? seconds : nil
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }
}
