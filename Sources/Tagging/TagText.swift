/// Converts tag texts with arbitrary content to texts that are safe to show and store.
enum TagText {
    /// Maximum length of a text in characters.
    static let maximumLength = 10_000

    /// Decodes and cleans a text: bytes that are not UTF-8 become U+FFFD, control characters become spaces (line breaks are
    /// kept in multi-line texts), and surrounding white space is removed. Returns nil if nothing is left.
    static func cleaned(_ bytes: some Sequence<UInt8>, keepsLines: Bool = false) -> String? {
        var scalars = String.UnicodeScalarView()
        var pendingReturn = false
        for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
            if pendingReturn && scalar != "\n" { scalars.append(keepsLines ? "\n" : " ") }
            pendingReturn = scalar == "\r"
            switch scalar {
            case "\r": break
            case "\n" where keepsLines: scalars.append(scalar)
            case "\u{FEFF}": break  // a byte order mark is no text
            case _ where scalar.properties.generalCategory == .control: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        let text = String(scalars).prefix(maximumLength)
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(text[first...last])
    }
}
