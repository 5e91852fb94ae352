internal import Foundation
public import Tagging

/// Texts that were written in one encoding and read in another, and what they were meant to say.
///
/// A text is only taken for one of these if nothing else can have been meant: the rules below say what counts as certain.
/// Where one text of a file is certain, others of the file that fit the same explanation are repaired with it.
public enum Mojibake {
    /// What a text would be under an explanation.
    struct Reading: Equatable {
        enum Trust: Comparable {
            /// It fits, and so may other explanations.
            case possible
            /// Nothing else fits.
            case certain
        }

        var text: String
        var trust: Trust
    }

    /// What the text of each field was meant to say; fields that are sound, or not certain, are not there.
    public static func repairs(of texts: [TagField: String]) -> [TagField: String] {
        let explanations: [@Sendable (String) -> Reading?] = [
            MojibakeUTF8.reading(of:), MojibakeShiftJIS.reading(of:), MojibakeCyrillic.reading(of:),
        ]
        var repairs: [TagField: String] = [:]
        var explained: Set<Int> = []
        for (field, text) in texts {
            // In the order of how hard it is to fit by chance.
            for (index, explanation) in explanations.enumerated() {
                guard let reading = explanation(text), reading.trust == .certain else { continue }
                repairs[field] = reading.text
                explained.insert(index)
                break
            }
        }
        guard let only = explained.first, explained.count == 1 else { return repairs }
        for (field, text) in texts where repairs[field] == nil {
            if let reading = explanations[only](text) { repairs[field] = reading.text }
        }
        return repairs
    }

    /// The bytes that were read as Latin-1 or as Windows-1252; nil where the text has other characters, or ASCII only.
    static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var hasOthers = false
        for scalar in text.unicodeScalars {
            guard let byte = scalar.value < 0x100 ? UInt8(scalar.value) : windows1252[scalar] else {
                return nil
            }
            if byte >= 0x80 { hasOthers = true }
            bytes.append(byte)
        }
        return hasOthers ? bytes : nil
    }

    /// The characters of Windows-1252 that Latin-1 has not, in the order of their bytes from 0x80 on; spaces where it has
    /// none.
    private static let windows1252: [Unicode.Scalar: UInt8] = {
        let characters = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars
        var bytes: [Unicode.Scalar: UInt8] = [:]
        for (offset, scalar) in characters.enumerated() where scalar != " " {
            bytes[scalar] = UInt8(0x80 + offset)
        }
        return bytes
    }()
}
