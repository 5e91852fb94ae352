/// UTF-8 that was read as Latin-1 or Windows-1252: "CafÃ©" for "Café".
///
/// Other text is hardly ever valid UTF-8. It can be if an accented capital is followed by a quotation mark or
/// a dash ("CAFÉ’S"), or an accented letter by a no-break space and a guillemet: such sequences are weak, and
/// three of them count as one strong one.
enum MojibakeUTF8 {
    static func reading(of text: String) -> Mojibake.Reading? {
        if var reading = once(text) {
            // Some texts were encoded twice.
            if let again = once(reading.text), again.trust == .certain { reading.text = again.text }
            return reading
        }
        // After the first misreading, such a text may have contained control characters, which the second has
        // hidden.
        guard let first = once(text, takesControls: true), let again = once(first.text),
            again.trust == .certain
        else { return nil }
        return again
    }

    private static func once(_ text: String, takesControls: Bool = false) -> Mojibake.Reading? {
        guard let bytes = Mojibake.bytes(of: text), let meant = String(validating: bytes, as: UTF8.self)
        else { return nil }
        var weak: Set<Unicode.Scalar> = []
        var hasStrong = false
        var index = 0
        var last: Unicode.Scalar?
        for scalar in meant.unicodeScalars {
            let length = UTF8.width(scalar)
            defer {
                index += length
                last = scalar
            }
            guard length > 1 else { continue }
            let isControl = takesControls && (0x80...0x9F).contains(scalar.value)
            guard isControl || isPlausible(scalar, after: last) else { return nil }
            let isWeak = Self.isWeak(bytes[index..<index + length])
            if !isWeak {
                hasStrong = true
            } else {
                weak.insert(scalar)
            }
        }
        return Mojibake.Reading(text: meant, trust: hasStrong || weak.count >= 3 ? .certain : .possible)
    }

    /// Whether a sequence can occur in intact text: everything after its first letter can follow a letter.
    private static func isWeak(_ sequence: ArraySlice<UInt8>) -> Bool {
        guard sequence.count < 4, let lead = sequence.first else { return false }
        // Hardly any word ends with Ã or Â, so little can follow it.
        let isRare = lead == 0xC2 || lead == 0xC3
        return sequence.dropFirst().allSatisfy {
            punctuation.contains($0) || !isRare && lettersAndSigns.contains($0)
        }
    }

    /// Quotation marks, dashes, dots, and the no-break space that French uses before some of them.
    private static let punctuation: Set<UInt8> = [
        0x82, 0x84, 0x85, 0x8B, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x9B, 0xA0,
    ]
    /// Letters of Czech and French, guillemets, degrees and the like.
    private static let lettersAndSigns: Set<UInt8> = [
        0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F, 0xAA, 0xAB, 0xAE, 0xB0, 0xB2, 0xB3, 0xB4, 0xB7, 0xB9, 0xBA,
        0xBB,
    ]

    /// Whether a character occurs in names of music. Phonetic signs, marks without a letter, and scripts not
    /// used for titles point to a coincidence.
    private static func isPlausible(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .unassigned, .privateUse, .surrogate: return false
        case .nonspacingMark, .enclosingMark, .spacingMark:
            guard let last,
                last.properties.isAlphabetic || last.properties.canonicalCombiningClass != .notReordered
            else { return scalar.value == 0xFE0F }
            // A mark of a script follows a letter of that script.
            return scalar.value < 0x370 || scalar.value == 0xFE0F || last.value >> 8 == scalar.value >> 8
        default: break
        }
        let unlikely: [ClosedRange<UInt32>] = [
            0x80...0x9F, 0x250...0x2FF, 0x700...0x8FF, 0x1400...0x167F, 0xA000...0xA4CF,
        ]
        return !unlikely.contains { $0.contains(scalar.value) }
    }
}
