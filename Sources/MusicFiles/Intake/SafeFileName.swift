internal import Foundation

/// Converts text to a path component that is valid on every system that a music folder may be shared with.
enum SafeFileName {
    /// Maximum length of a name in UTF-8 bytes. File systems allow 255; a number, an extension and the name
    /// of a temporary copy need some, and some systems store accents decomposed.
    static let longest = 180

    /// Names that Windows reserves for devices, whatever follows a dot.
    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
    private static let forbidden: Set<Unicode.Scalar> = [
        "/", "\\", "<", ">", ":", "\"", "|", "?", "*", "\u{FFFD}",
    ]

    /// Returns the name: composed (NFC), without control and invisible characters, with `_` for forbidden
    /// characters, without leading and trailing dots and spaces, truncated to the limit. Empty if nothing is
    /// left.
    static func name(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        // Skips what would be truncated anyway.
        for scalar in text.unicodeScalars.prefix(longest * 4) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                // Joiners are part of emoji and words and are kept; direction marks make names look like
                // others.
                if scalar == "\u{200D}" || scalar == "\u{200C}" { scalars.append(scalar) }
                if scalar.properties.isWhitespace { scalars.append(" ") }
            default: scalars.append(forbidden.contains(scalar) ? "_" : scalar)
            }
        }
        let composed = String(scalars).precomposedStringWithCanonicalMapping
        var name = trimmed(Substring(composed))
        if name.utf8.count > longest { name = trimmed(Substring(cut(name, to: longest))) }
        if devices.contains(name.prefix { $0 != "." }.trimmingCharacters(in: .whitespaces).lowercased()) {
            name = "_" + name
        }
        return name
    }

    /// Truncates a text to a number of UTF-8 bytes, at a character boundary.
    static func cut(_ text: String, to byteCount: Int) -> String {
        var result = ""
        var length = 0
        for character in text {
            length += character.utf8.count
            guard length <= byteCount else { break }
            result.append(character)
        }
        return result
    }

    /// Trims dots and spaces: leading dots hide files, and Windows drops trailing ones.
    private static func trimmed(_ text: Substring) -> String {
        let isLoose: (Character) -> Bool = { $0 == "." || $0.isWhitespace }
        guard let first = text.firstIndex(where: { !isLoose($0) }),
            let last = text.lastIndex(where: { !isLoose($0) })
        else { return "" }
        return String(text[first...last])
    }
}
