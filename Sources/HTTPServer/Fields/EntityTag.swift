/// An entity tag: an opaque identifier of a representation's state (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    package let value: String
    /// Whether equal tags only mean equivalent content, not identical bytes.
    package let isWeak: Bool

    /// Creates a tag. Characters that are not allowed in a tag (quotes, spaces, controls) become `_`.
    package init(_ value: String, isWeak: Bool = false) {
        self.value =
            value.utf8Span.span.allSatisfy(Self.isAllowed)
            ? value
            : String(
                decoding: value.utf8.map { Self.isAllowed($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// Creates a strong tag from the content (djb2 with 64 bits): equal bytes with the same name have equal tags.
    package init(_ name: String, ofContent bytes: some Sequence<UInt8>) {
        self.init("\(name)-\(bytes.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })")
    }

    /// Parses one tag, `"…"` or `W/"…"`; nil if the text is not a tag.
    package init?(parsing text: some StringProtocol) {
        var text = text.trimmingWhitespace()
        isWeak = text.hasPrefix("W/")
        if isWeak { text = text.dropFirst(2) }
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        value = String(text.dropFirst().dropLast())
        guard value.utf8Span.span.allSatisfy(Self.isAllowed) else { return nil }
    }

    /// Whether a byte may be part of a tag (`etagc`).
    private static func isAllowed(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x22 && byte != 0x7F }

    /// The tag in wire format.
    package var description: String {
        var text = isWeak ? "W/\"" : "\""
        text.reserveCapacity(value.utf8.count + 4)
        text += value
        text += "\""
        return text
    }

    /// Whether both are strong and equal (RFC 9110 §8.8.3.2).
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && value == other.value
    }

    /// Whether both are equal, weak or not.
    package func matchesWeakly(_ other: EntityTag) -> Bool { value == other.value }

    /// Parses a list of tags as in `If-None-Match`. Tags may contain commas; invalid tags are ignored.
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
