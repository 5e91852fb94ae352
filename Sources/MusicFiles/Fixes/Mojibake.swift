internal import Foundation
package import Tagging

/// Repairs text that was written in one encoding and read in another.
///
/// A text is only repaired if no other reading is plausible: the rules below define what is certain.
/// If one text of a file is certain, other texts of the file that fit the same explanation are repaired too.
package enum Mojibake {
    /// A text as it reads under one explanation.
    struct Reading: Equatable {
        enum Trust: Comparable {
            /// The explanation fits, but others may fit too.
            case possible
            /// No other explanation fits.
            case certain
        }

        var text: String
        var trust: Trust
    }

    /// Returns the repaired text of each field; fields that are intact or uncertain are omitted.
    package static func repairs(of texts: [TagField: String]) -> [TagField: String] {
        let explanations: [@Sendable (String) -> Reading?] = [
            MojibakeUTF8.reading(of:), MojibakeShiftJIS.reading(of:), MojibakeCyrillic.reading(of:),
        ]
        var repairs: [TagField: String] = [:]
        var explained: Set<Int> = []
        for (field, text) in texts {
            // Ordered by how unlikely a match by chance is.
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

    /// The bytes that were read as Latin-1 or Windows-1252; nil if the text contains other characters, or
    /// only ASCII.
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

    /// The characters of Windows-1252 that are not in Latin-1, in the order of their bytes from 0x80; a space
    /// marks an unassigned byte.
    private static let windows1252: [Unicode.Scalar: UInt8] = {
        let characters = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars
        var bytes: [Unicode.Scalar: UInt8] = [:]
        for (offset, scalar) in characters.enumerated() where scalar != " " {
            bytes[scalar] = UInt8(0x80 + offset)
        }
        return bytes
    }()
}
