import Testing
@testable import Catalogue
@testable import LibraryStore

@testable import Companion

@Suite struct SortKeyTests {
    /// Each list is in the order that people expect, not derived from the program's output.
    @Test(
        "Names sort in the order that people expect",
        arguments: [
            ["Track 1", "track 2", "Track 10", "TRACK 100", "Track A"],
            ["2 Unlimited", "10cc", "99 Luftballons", "808 State", "1999", "ABBA", "AC/DC"],
            ["Abba", "Äpfel", "Apfelmus", "Azteca", "Éclair", "Elan", "Øl", "Olaf", "Zebra"],
            ["Straße 1", "STRASSE 2", "Straße 10"],
            ["Æther", "Afrika", "Ｂ", "c", "Łódź", "mama"],
            ["Zulu", "Ωmega", "Ящик", "東京"],
            ["Елка", "ёлка 2", "Жук"],
            ["a  b", "A\tb c", "a b d", "ab"],
            ["x 0", "x 1", "x 999999999", "x 1000000000", "x 99999999999999999999"],
            ["!!!", "1", "a"],
        ])
    func order(names: [String]) {
        let keys = names.map { SortKey.key($0) }
        #expect(
            Array(keys.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
                == keys.map { Array($0.utf8) }, "\(keys)")
    }

    @Test(
        "Case, accents, widths and leading zeros are ignored",
        arguments: [
            ("Beyoncé", "BEYONCE\u{301}"), ("  A   B ", "a b"), ("Track 01", "Track 1"), ("ß", "SS"),
            ("Don\u{2019}t", "don't"), ("ﬁre", "Fire"), ("7", "007"), ("0", "000"),
        ])
    func noDifference(a: String, b: String) {
        #expect(SortKey.key(a) == SortKey.key(b))
    }

    @Test("Missing titles sort by file name, missing names first")
    func whatIsMissing() throws {
        #expect(SortKey.key(nil) == "")
        let path = try #require(RelativePath(text: "Folder/07 Öl.MP3"))
        #expect(SortKey.key(title: nil, path: path) == SortKey.key("07 öl"))
        #expect(SortKey.key(title: "T", path: path) == SortKey.key("t"))
    }

    @Test("Marks that count as letters are kept")
    func marksThatAreLettersStay() {
        // Devanagari ka and ki differ in a vowel sign.
        #expect(SortKey.key("\u{915}") != SortKey.key("\u{915}\u{940}"))
    }
}
