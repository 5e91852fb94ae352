import Foundation

/// The name of an entry in the trash: the time of deletion, and eight digits that distinguish it from others
/// at the same moment. Sorts by time.
struct TrashName: Hashable {
    let text: String
    let date: Date

    /// Creates a unique name for a time.
    init(_ date: Date = Date()) {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let time = String(milliseconds)
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        text =
            String(repeating: "0", count: max(0, 14 - time.count)) + time + "-"
            + String(repeating: "0", count: 8 - mark.count) + mark
        self.date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Parses a name; nil if the text is not a valid name.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isHexadecimal: (UInt8) -> Bool = { (48...57).contains($0) || (97...102).contains($0) }
        guard parts.count == 2, parts[0].utf8.count == 14, parts[1].utf8.count == 8,
            parts[0].utf8.allSatisfy({ (48...57).contains($0) }), parts[1].utf8.allSatisfy(isHexadecimal),
            let milliseconds = Int64(parts[0])
        else { return nil }
        self.text = text
        date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
