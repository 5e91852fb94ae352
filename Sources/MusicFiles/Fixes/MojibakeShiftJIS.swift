internal import Foundation

/// Shift-JIS that was read as Latin-1 or Windows-1252: "ƒeƒXƒg" for "テスト".
///
/// Certain if it yields at least two kana and nothing but kana, kanji, their punctuation and ASCII: the first
/// byte of each kana reads as a low quotation mark or a florin sign. Kanji alone may be a coincidence.
enum MojibakeShiftJIS {
    static func reading(of text: String) -> Mojibake.Reading? {
        guard let bytes = Mojibake.bytes(of: text), !hasHalfWidthKana(bytes),
            let meant = String(bytes: bytes, encoding: .shiftJIS)
        else { return nil }
        var kana = 0
        for scalar in meant.unicodeScalars {
            switch scalar.value {
            case 0x3041...0x3096, 0x30A1...0x30FA: kana += 1
            case 0x20...0x7E, 0x3000...0x3020, 0x3099...0x309E, 0x30FB...0x30FE, 0x4E00...0x9FFF,
                0xFF01...0xFF5E, 0x2026, 0x25A0...0x266F, 0x301C, 0xD7, 0xA5, 0x203E, 0x2019, 0x201D, 0x2018,
                0x201C:
                continue
            default: return nil
            }
        }
        return Mojibake.Reading(text: meant, trust: kana >= 2 ? .certain : .possible)
    }

    /// Whether a single byte would decode to a half-width katakana, as accented letters of Latin-1 would.
    private static func hasHalfWidthKana(_ bytes: [UInt8]) -> Bool {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case 0xA1...0xDF: return true
            case 0x81...0x9F, 0xE0...0xFC: index += 2
            default: index += 1
            }
        }
        return false
    }
}
