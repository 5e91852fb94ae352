internal import Foundation

/// Makes text fit to be one part of a path, on every system that a music folder may be shared with.
enum SafeFileName {
    /// Bytes of UTF-8 that a name may have. File systems take 255; a number, an ending and the name of a copy under way need
    /// some, and some systems spell an accent apart.
    static let longest = 180

    /// Names that Windows keeps for devices, whatever comes after a dot.
    private static let devices: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })
    private static let forbidden: Set<Unicode.Scalar> = [
        "/", "\\", "<", ">", ":", "\"", "|", "?", "*", "\u{FFFD}",
    ]

    /// The name: composed (NFC), without control and invisible characters, with `_` for what no name may hold, without dots and
    /// spaces at its ends, not too long. Empty where nothing is left.
    static func name(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        // What is cut off in the end need not be worked on.
        for scalar in text.unicodeScalars.prefix(longest * 4) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                // A joiner holds an emoji or a word together and stays; direction marks make names look like others.
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

    /// As much of a text as fits, in whole characters.
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

    /// Without dots and spaces at the ends: a leading dot hides a file, trailing ones Windows drops.
    private static func trimmed(_ text: Substring) -> String {
        let isLoose: (Character) -> Bool = { $0 == "." || $0.isWhitespace }
        guard let first = text.firstIndex(where: { !isLoose($0) }),
            let last = text.lastIndex(where: { !isLoose($0) })
        else { return "" }
        return String(text[first...last])
    }
}
