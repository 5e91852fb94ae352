/// Decodes text from files that do not state their encoding.
public enum LyricsText {
    /// Decodes the text of a file: UTF-8 or UTF-16 with or without byte order mark, otherwise Windows-1252, a superset of
    /// Latin-1. Never fails.
    public static func decoded(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(decoding: bytes.dropFirst(3), as: UTF8.self)
        }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), isLittleEndian: true) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), isLittleEndian: false) }
        if let isLittleEndian = looksLikeUTF16(bytes) {
            return utf16(bytes[...], isLittleEndian: isLittleEndian)
        }
        return String(validating: bytes, as: UTF8.self) ?? windows1252(bytes)
    }

    /// Decodes Windows-1252; the five undefined bytes are mapped as in Latin-1.
    static func windows1252(_ bytes: some Sequence<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? UInt32(signs[Int(byte) - 0x80]) : UInt32(byte)
            scalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
        }
        return String(scalars)
    }

    /// Decodes UTF-16; an incomplete unit at the end is dropped.
    static func utf16(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
            index += 2
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Splits a text into lines at any kind of line break.
    static func lines(of text: String) -> [Substring] {
        // Scalars, not characters: a carriage return with its line feed is one character.
        var lines: [Substring] = []
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        var index = start
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            if scalar == "\n" || scalar == "\r" {
                lines.append(Substring(scalars[start..<index]))
                start = next
                if scalar == "\r", next < scalars.endIndex, scalars[next] == "\n" {
                    start = scalars.index(after: next)
                }
                index = start
            } else {
                index = next
            }
        }
        lines.append(Substring(scalars[start...]))
        return lines
    }

    /// Removes surrounding white space and control characters; tabs become spaces.
    static func trimmed(_ text: Substring) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\t" {
                scalars.append(" ")
            } else if !isControl(scalar) {
                scalars.append(scalar)
            }
        }
        let kept = scalars.drop(while: \.properties.isWhitespace)
        guard let end = kept.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(kept[...end])
    }

    /// Whether a scalar is invalid in a line: control characters, and byte order marks within a text.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF
    }

    /// Plain LRC starts with ASCII characters, which UTF-16 encodes as one byte and a zero.
    private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool? {
        let head = bytes.prefix(64)
        guard head.count >= 4, bytes.count % 2 == 0 else { return nil }
        let zeros = head.indices.filter { head[$0] == 0 }
        guard zeros.count >= head.count / 3 else { return nil }
        if zeros.allSatisfy({ $0 % 2 == 1 }) { return true }
        return zeros.allSatisfy { $0 % 2 == 0 } ? false : nil
    }

    /// Windows-1252 from 0x80 to 0x9F.
    private static let signs: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161,
        0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
