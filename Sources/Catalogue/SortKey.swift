internal import Foundation

/// Computes sort keys for names, so that comparing bytes gives the order that people expect.
///
/// Case, accents, widths (Ä sorts as a, ø as o, ß as ss, Ａ as a) and runs of white space are ignored. Numbers
/// sort by value: "Track 2" before "Track 10". Letters of other scripts follow Latin ones, in Unicode order.
/// The keys are stored in the database, so that any SQLite can use the index; they are not meant for display.
package enum SortKey {
    /// The key of a name; empty for nil, which sorts first.
    package static func key(_ name: String?) -> String {
        guard let name else { return "" }
        var key: [UInt8] = []
        key.reserveCapacity(name.utf8.count + 4)
        var digits: [UInt8] = []
        var pendingSpace = false
        func flush() {
            guard !digits.isEmpty else { return }
            let value = Array(digits.drop { $0 == UInt8(ascii: "0") })
            // Longer numbers are larger: the number of digits goes first. It consists of digits itself, so
            // that numbers sort before letters.
            let count = min(max(1, value.count), 999)
            if count < 10 {
                key.append(UInt8(ascii: "0") + UInt8(count - 1))
            } else {
                key.append(contentsOf: "9\(count < 100 ? "0" : "")\(count)".utf8)
            }
            key.append(contentsOf: value.isEmpty ? [UInt8(ascii: "0")] : value)
            digits = []
        }
        for scalar in folded(name) {
            if scalar.properties.isWhitespace {
                pendingSpace = true
                continue
            }
            let isDigit = ("0"..."9").contains(scalar)
            if !isDigit || pendingSpace { flush() }
            if pendingSpace, !key.isEmpty { key.append(UInt8(ascii: " ")) }
            pendingSpace = false
            if isDigit {
                digits.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                key.append(contentsOf: String(scalar).utf8)
            }
        }
        flush()
        return String(decoding: key, as: UTF8.self)
    }

    private static func folded(_ name: String) -> String.UnicodeScalarView {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased().unicodeScalars }
        var scalars = String.UnicodeScalarView()
        for scalar in name.lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars
        where !isAccent(scalar) {
            if let letters = letters[scalar] {
                scalars.append(contentsOf: letters.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        return scalars
    }

    /// Whether a mark is an accent that does not affect sorting. Vowel signs of Indic scripts are marks too,
    /// but count as letters.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099...0x309A,
            0xFE20...0xFE2F:
            true
        default: false
        }
    }

    /// Letters and punctuation that Unicode does not decompose.
    private static let letters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
        "ı": "i",
        "ŋ": "n", "ŧ": "t", "\u{2019}": "'", "\u{2018}": "'", "\u{201C}": "\"", "\u{201D}": "\"",
        "\u{2013}": "-", "\u{2014}": "-", "\u{2010}": "-", "\u{2011}": "-",
    ]
}
