import TestSupport
import Testing

@testable import Catalogue

@Suite("Corrections of mistyped words")
struct SearchVocabularyTests {
    /// The optimal string alignment distance, by its textbook recurrence.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var best = min(
                    row[j - 1] + 1, rows[i - 1][j] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }

    @Test("A word matches with one typo exactly if its distance is one", arguments: 0..<4 as Range<UInt64>)
    func matching(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word(_ lengths: ClosedRange<Int>) -> [Unicode.Scalar] {
            (0..<Int.random(in: lengths, using: &random)).map { _ in
                ["a", "b", "c"].randomElement(using: &random) ?? "a"
            }
        }
        var (matches, misses) = (0, 0)
        for _ in 0..<20_000 {
            let (typed, candidate) = (word(5...7), word(4...9))
            let match = SearchVocabulary.match(typed, candidate[...])
            if candidate.starts(with: typed) {
                #expect(match == nil)
            } else if let match {
                matches += 1
                #expect(Self.distance(typed, Array(candidate.prefix(match.length))) == 1)
                #expect(!match.isWhole || match.length == candidate.count)
            } else {
                misses += 1
                #expect(Self.distance(typed, candidate) > 1, "\(typed) \(candidate)")
            }
        }
        #expect(matches > 100 && misses > 100)
    }

    @Test(
        "Wrong, missing, additional and swapped letters are corrected, also at the start of a longer word",
        arguments: [
            ("metalica", ["metallica"]), ("metallicca", ["metallica"]), ("metallixa", ["metallica"]),
            ("emtallica", ["metallica"]), ("etallica", ["metallica"]), ("metalli", []), ("mettalica", []),
            ("metallx", []),
            ("metallicx", ["metallica"]), ("nirvama", ["nirvana"]), ("nirvanas", ["nirvana"]),
            ("nirwama", []),
        ])
    func corrections(typed: String, expected: [String]) {
        let words = SearchVocabulary(["metallica", "nirvana", "2pac", "abc", "r2d2rock"])
        #expect(words.corrections(of: Array(typed.unicodeScalars)).map(\.text) == expected)
    }
}
