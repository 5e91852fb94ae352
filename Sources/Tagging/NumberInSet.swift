/// A position in a series as written in tags: "3" or "3/12".
package struct NumberInSet: Sendable, Hashable {
    /// The number, from 1; nil if not tagged.
    package var number: Int?
    /// Size of the series; nil if not tagged.
    package var total: Int?

    /// Memberwise initializer.
    package init(number: Int? = nil, total: Int? = nil) {
        self.number = number
        self.total = total
    }

    /// Parses "3", "03", "3/12" and "/12"; invalid parts and zeros become nil.
    init(tagText: String?) {
        let parts = (tagText ?? "").split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        number = parts.first.flatMap(Self.count)
        total = parts.count > 1 ? Self.count(parts[1]) : nil
    }

    /// "3", "3/12", or "0/12" if only the total is known; nil if neither is.
    var tagText: String? {
        guard number != nil || total != nil else { return nil }
        return "\(number ?? 0)" + (total.map { "/\($0)" } ?? "")
    }

    private static func count(_ text: Substring) -> Int? {
        let digits = text.drop(while: \.isWhitespace).prefix { $0.isASCII && $0.isNumber }
        // Numbers with more digits are dates or errors.
        guard !digits.isEmpty, digits.count <= 5, let value = Int(digits), value > 0 else { return nil }
        return value
    }
}
