/// The name of a chunk or of a compression: four characters.
struct FourCharacters: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The characters as a number, the first in the highest byte.
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(stringLiteral text: StaticString) {
        rawValue = text.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The characters; those outside printable ASCII as question marks.
    var text: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
        return String(
            decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
