/// The four-character code of a box or a sample entry.
struct BoxType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The four bytes, the first in the highest place.
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a code from four ASCII characters.
    init(stringLiteral text: StaticString) {
        rawValue = text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The characters, with a question mark for those that cannot be printed.
    var description: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
        return String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}
