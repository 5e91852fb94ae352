/// An entity tag: an opaque name of a representation's state (RFC 9110 §8.8.3).
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    public let value: String
    /// Whether it stands for the same meaning only, not the same bytes.
    public let isWeak: Bool

    /// Makes a tag. Characters that a tag may not hold (quotes, spaces, controls) become `_`.
    public init(_ value: String, isWeak: Bool = false) {
        self.value = String(
            decoding: value.utf8.map { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F ? $0 : UInt8(ascii: "_") },
            as: UTF8.self)
        self.isWeak = isWeak
    }

    /// Makes a strong tag of the bytes themselves (djb2, 64 bits wide): equal bytes under one name have equal tags.
    public init(_ name: String, ofContent bytes: some Sequence<UInt8>) {
        self.init("\(name)-\(bytes.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })")
    }

    /// Reads one tag, `"…"` or `W/"…"`; nil where the text is something else.
    public init?(parsing text: some StringProtocol) {
        var text = text.trimmingWhitespace()
        isWeak = text.hasPrefix("W/")
        if isWeak { text = text.dropFirst(2) }
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        value = String(text.dropFirst().dropLast())
        guard value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    }

    /// The tag as it is written to the wire.
    public var description: String { isWeak ? "W/\"\(value)\"" : "\"\(value)\"" }

    /// Whether both are strong and equal (RFC 9110 §8.8.3.2).
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Whether both are equal, weak or not.
    public func matchesWeakly(_ other: EntityTag) -> Bool { value == other.value }

    /// Reads a list of tags as `If-None-Match` has it. Commas may stand inside of tags; what is no tag is left out.
    static func list(_ text: String) -> [EntityTag] {
        var tags: [EntityTag] = []
        var rest = Substring(text)
        while let quote = rest.firstIndex(of: "\"") {
            let opening = rest[..<quote]
            let afterQuote = rest[rest.index(after: quote)...]
            guard let closing = afterQuote.firstIndex(of: "\"") else { break }
            let prefix = opening.hasSuffix("W/") ? "W/" : ""
            if let tag = EntityTag(parsing: "\(prefix)\"\(afterQuote[..<closing])\"") { tags.append(tag) }
            rest = afterQuote[afterQuote.index(after: closing)...]
        }
        return tags
    }
}
