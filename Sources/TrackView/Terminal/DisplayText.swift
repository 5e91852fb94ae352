import Foundation

/// Text from tags, file names and other sources, made safe to show.
///
/// Removes whatever a terminal would execute instead of showing: escape sequences (ECMA-48), control
/// characters, bidirectional controls and all other invisible format characters but the joiners that some scripts need.
/// Line breaks and tabs become spaces.
enum DisplayText {
    /// Marks kept on one character; more of them climb over the lines above and below.
    private static let mostMarks = 4
    private static let escape: Unicode.Scalar = "\u{1B}"

    /// The text as it may be shown.
    static func cleaned(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var result = String.UnicodeScalarView()
        var marks = mostMarks
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let end = endOfEscapeSequence(rest) {
                rest = rest[end...]
                continue
            }
            rest.removeFirst()
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                if scalar.properties.isWhitespace, result.last != " " { result.append(" ") }
                marks = mostMarks
            case .format where scalar == "\u{200C}" || scalar == "\u{200D}":
                if !result.isEmpty { result.append(scalar) }
            case .format, .surrogate: break
            case .nonspacingMark, .enclosingMark:
                // Variation selectors make the width of the character before them depend on the terminal.
                if scalar.properties.isVariationSelector { break }
                if !result.isEmpty, marks > 0 { result.append(scalar) }
                marks -= 1
            case .unassigned, .privateUse:
                result.append("\u{FFFD}")
                marks = mostMarks
            default:
                result.append(scalar)
                marks = mostMarks
            }
        }
        return String(result)
    }

    /// The text in ASCII, for terminals without Unicode: accents are removed, typographic signs become plain ones,
    /// and any other character becomes a question mark.
    static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = ""
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else if let plain = plainForms[scalar] {
                result += plain
            } else if DisplayWidth.of(scalar) > 0 {
                result += "?"
            }
        }
        return result
    }

    /// The text, or as much of its beginning as leaves room for an ellipsis within a number of columns.
    static func cut(_ text: String, to columns: Int, ellipsis: String) -> String {
        guard DisplayWidth.of(text) > columns else { return text }
        let room = columns - DisplayWidth.of(ellipsis)
        guard room >= 0 else { return "" }
        var used = 0
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            used += DisplayWidth.of(scalar)
            if used > room { break }
            result.append(scalar)
        }
        while result.last == " " { result.removeLast() }
        return String(result) + ellipsis
    }

    private static let plainForms: [Unicode.Scalar: String] = [
        "·": "-", "×": "x", "—": "-", "–": "-", "−": "-", "…": "...", "♯": "#", "♭": "b", "→": "->",
        "≤": "<=",
        "‘": "'", "’": "'", "“": "\"", "”": "\"", "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O",
        "ł": "l",
        "Ł": "L", "đ": "d", "Đ": "D", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th", "ð": "d", "±": "+-",
    ]

    /// Returns the end of an escape sequence at the beginning of a text; nil if there is no sequence. An unterminated one loses its
    /// first two characters only.
    private static func endOfEscapeSequence(_ text: Substring.UnicodeScalarView) -> String.Index? {
        guard let first = text.first else { return nil }
        var index = text.index(after: text.startIndex)
        var introducer = first
        if first == escape {
            guard index < text.endIndex else { return nil }
            // An eight-bit control is the seven-bit one plus 0x40 (ECMA-48, section 5.3).
            introducer = Unicode.Scalar(text[index].value + 0x40) ?? first
            index = text.index(after: index)
        }
        switch introducer.value {
        case 0x9B:
            let end = text[index...].firstIndex { !(0x20...0x3F).contains($0.value) }
            guard let end, (0x40...0x7E).contains(text[end].value) else { return index }
            return text.index(after: end)
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
            guard let end = text[index...].firstIndex(where: { [0x07, 0x1B, 0x9C].contains($0.value) }) else {
                return index
            }
            let next = text.index(after: end)
            return text[end] == escape && next < text.endIndex && text[next] == "\\"
                ? text.index(after: next) : next
        default:
            // Other two-character sequences: ESC and one of the signs it goes with.
            return first == escape && (0x70...0xBE).contains(introducer.value) ? index : nil
        }
    }
}
