internal import Foundation

/// Windows-1251 that was read as Latin-1 or Windows-1252: "Êèíî" for "Кино".
///
/// Certain if there are at least six letters, four of them in one word, that form words as in Russian: no
/// Latin letters within, capitals only at the start or throughout, vowels in place, and letter frequencies
/// close to Russian; and if neither KOI8-R nor Greek explains the same bytes nearly as well. No western
/// language has words of accented letters only.
enum MojibakeCyrillic {
    private static let leastLetters = 6
    private static let leastWord = 4
    /// Mean logarithm of the letter frequencies: about −3.0 in Russian, below −3.7 for random letters.
    private static let leastLikelihood = -3.55
    /// Minimum difference between the log-likelihoods of this explanation and any other.
    private static let margin = 2.0

    static func reading(of text: String) -> Mojibake.Reading? {
        guard let bytes = Mojibake.bytes(of: text), bytes.allSatisfy(isUsual),
            let meant = String(bytes: bytes, encoding: .windowsCP1251)
        else { return nil }
        let words = meant.split { !$0.isLetter }.filter { $0.unicodeScalars.contains { $0.value >= 0x80 } }
        guard !words.isEmpty, words.allSatisfy(isPossible) else { return nil }
        let letters = words.joined().lowercased()
        let likelihood = logLikelihood(of: letters, russian)
        let isCertain =
            letters.count >= leastLetters && words.contains { $0.count >= leastWord }
            && likelihood / Double(letters.count) >= leastLikelihood
            && rivals(bytes).allSatisfy { $0 + margin <= likelihood }
        return Mojibake.Reading(text: meant, trust: isCertain ? .certain : .possible)
    }

    /// Whether a byte is usual in Windows-1251 text: letters of Russian, Ukrainian and Belarusian, and
    /// punctuation.
    private static func isUsual(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20...0x7E, 0xC0...0xFF: true
        case 0x84, 0x85, 0x91...0x97, 0xA0, 0xA1, 0xA2, 0xA5, 0xA8, 0xAA, 0xAB, 0xAF, 0xB2, 0xB3, 0xB4, 0xB8,
            0xB9, 0xBA, 0xBB, 0xBF:
            true
        default: false
        }
    }

    private static let vowels: Set<Character> = Set("аеёиоуыэюяіїє")
    private static let signs: Set<Character> = ["ь", "ъ", "ы"]

    /// Whether a word is possible in a language written in Cyrillic.
    private static func isPossible(_ word: some StringProtocol) -> Bool {
        let word = Array(String(word))
        guard word.allSatisfy({ ("\u{400}"..."\u{4FF}").contains($0) }) else { return false }
        let isUpper = word.map { String($0) != String($0).lowercased() }
        guard !isUpper.dropFirst().contains(true) || !isUpper.contains(false) else { return false }
        let small = Array(String(word).lowercased())
        if let first = small.first, signs.contains(first) { return false }
        var consonants = 0
        var hasVowel = false
        for (index, letter) in small.enumerated() {
            if vowels.contains(letter) {
                hasVowel = true
                consonants = 0
            } else if letter == "ь" || letter == "ъ" {
                // Signs follow consonants.
                guard let before = index > 0 ? small[index - 1] : nil, !vowels.contains(before),
                    before != letter
                else { return false }
            } else {
                consonants += 1
                if consonants > 5 { return false }
            }
        }
        // Band names are often abbreviations.
        return hasVowel || small.count <= (isUpper.contains(false) ? 2 : 4)
    }

    /// Log-likelihoods of the other explanations that yield possible words.
    private static func rivals(_ bytes: [UInt8]) -> [Double] {
        let koi8 = String.Encoding(rawValue: 0x8000_0A02)  // kCFStringEncodingKOI8_R
        var found: [Double] = []
        if let text = String(bytes: bytes, encoding: koi8) {
            let words = text.split { !$0.isLetter }.filter { $0.unicodeScalars.contains { $0.value >= 0x80 } }
            if !words.isEmpty, words.allSatisfy(isPossible) {
                found.append(logLikelihood(of: words.joined().lowercased(), russian))
            }
        }
        if let text = String(bytes: bytes, encoding: .windowsCP1253) {
            let words = text.split { !$0.isLetter }.filter { $0.unicodeScalars.contains { $0.value >= 0x80 } }
            if !words.isEmpty, words.allSatisfy(isPossibleGreek) {
                found.append(logLikelihood(of: words.joined().lowercased(), greek))
            }
        }
        return found
    }

    /// Whether a word can be Greek: capitals as in a name or throughout, a final sigma only at the end, at
    /// most one accent, a vowel.
    private static func isPossibleGreek(_ word: some StringProtocol) -> Bool {
        let word = Array(String(word))
        guard word.allSatisfy({ ("\u{370}"..."\u{3FF}").contains($0) }) else { return false }
        let isUpper = word.map { String($0) != String($0).lowercased() }
        guard !isUpper.dropFirst().contains(true) || !isUpper.contains(false) else { return false }
        if let last = word.last, last == "σ" || word.dropLast().contains("ς") { return false }
        let accents = word.count { "άέήίόύώΐΰΆΈΉΊΌΎΏ".contains($0) }
        return accents <= 1
            && (word.count <= 2 || word.contains { "αεηιουωάέήίόύώΑΕΗΙΟΥΩΆΈΉΊΌΎΏ".contains($0) })
    }

    private static func logLikelihood(of letters: String, _ frequencies: [Character: Double]) -> Double {
        letters.reduce(0) { $0 + log((frequencies[$1] ?? 0.02) / 100) }
    }

    /// Letter frequencies of Russian in per cent (Russian National Corpus), with Ukrainian letters as rare
    /// ones.
    private static let russian: [Character: Double] = [
        "о": 10.97, "е": 8.45, "а": 8.01, "и": 7.35, "н": 6.70, "т": 6.26, "с": 5.47, "р": 4.73, "в": 4.54,
        "л": 4.40, "к": 3.49, "м": 3.21, "д": 2.98, "п": 2.81, "у": 2.62, "я": 2.01, "ы": 1.90, "ь": 1.74,
        "г": 1.70, "з": 1.65, "б": 1.59, "ч": 1.44, "й": 1.21, "х": 0.97, "ж": 0.94, "ш": 0.73, "ю": 0.64,
        "ц": 0.48, "щ": 0.36, "э": 0.32, "ф": 0.26, "ё": 0.20, "ъ": 0.04, "і": 0.5, "ї": 0.2, "є": 0.2,
    ]
    /// Letter frequencies of Greek in per cent.
    private static let greek: [Character: Double] = [
        "α": 10.0, "ο": 7.4, "ι": 6.9, "ε": 6.9, "τ": 8.0, "ν": 7.9, "σ": 4.9, "ς": 4.0, "η": 4.0, "ρ": 5.0,
        "π": 5.0, "κ": 4.2, "μ": 4.4, "υ": 3.3, "λ": 3.3, "δ": 1.7, "γ": 2.0, "ω": 0.9, "θ": 1.3, "χ": 1.4,
        "φ": 0.8, "β": 0.8, "ξ": 0.6, "ζ": 0.5, "ψ": 0.2, "ά": 2.0, "έ": 1.6, "ή": 1.2, "ί": 2.5, "ό": 2.4,
        "ύ": 1.0, "ώ": 0.7,
    ]
}
