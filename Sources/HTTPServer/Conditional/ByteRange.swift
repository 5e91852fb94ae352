/// One byte range of a `Range` field (RFC 9110 §14.1.2).
package enum ByteRange: Hashable, Sendable {
    /// From the first byte to the last one, inclusive: `0-499`.
    case closed(Int, Int)
    /// From an offset to the end: `500-`.
    case from(Int)
    /// The given number of bytes at the end: `-500`.
    case suffix(Int)

    /// Parses a `Range` field.
    ///
    /// - Returns: Its ranges, or nil if it is malformed or uses another unit; the field must then be ignored.
    package static func parse(_ text: String) -> [ByteRange]? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].trimmingWhitespace().lowercased() == "bytes" else { return nil }
        var ranges: [ByteRange] = []
        for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
            let part = part.trimmingWhitespace()
            // A list may have empty elements (RFC 9110 §5.6.1).
            if part.isEmpty { continue }
            guard let range = ByteRange(part) else { return nil }
            ranges.append(range)
        }
        return ranges.isEmpty ? nil : ranges
    }

    private init?(_ text: Substring) {
        let bounds = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]) else {
            return nil
        }
        switch (first, last) {
        case (nil, nil): return nil
        case (nil, let count?): self = .suffix(count)
        case (let first?, nil): self = .from(first)
        case (let first?, let last?):
            guard first <= last else { return nil }
            self = .closed(first, last)
        }
    }

    /// Parses digits, clamped to `Int.max`. The inner value is nil for an empty text, the outer one for anything but digits.
    private static func number(_ text: Substring) -> Int?? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return .some(text.isEmpty ? nil : Int(text) ?? Int.max)
    }

    /// Resolves the range within `byteCount` bytes; nil if no part of it lies within.
    package func resolved(in byteCount: Int) -> Range<Int>? {
        switch self {
        case .closed(let first, let last):
            first < byteCount ? first..<(min(last, byteCount - 1) + 1) : nil
        case .from(let first):
            first < byteCount ? first..<byteCount : nil
        case .suffix(let count):
            count > 0 && byteCount > 0 ? max(0, byteCount - count)..<byteCount : nil
        }
    }
}
