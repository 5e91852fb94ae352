import Foundation
import TestSupport
import Testing

@testable import TrackView

@Suite struct DisplayTextTests {
    /// Python's `unicodedata` is the truth. Where its Unicode is older than ours, characters it does not know do not
    /// count, nor do those that Unicode changed since: hexagrams and the like became wide, an Ahom vowel takes space.
    @Test func widthsAgreeWithPython() throws {
        let program = """
            import unicodedata as u
            for c in range(0x20, 0x40000):
                ch = chr(c)
                k = u.category(ch)
                if k in ('Cn', 'Cs', 'Co', 'Cc'): continue
                print(c, 0 if k in ('Mn', 'Me', 'Cf') else 2 if u.east_asian_width(ch) in 'WF' else 1)
            """
        let changedSince: [ClosedRange<UInt32>] = [
            0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D376, 0x1171E...0x1171E,
        ]
        var checked = 0
        for line in try ProcessRun.run("python3", ["-c", program]).text.split(separator: "\n") {
            let numbers = line.split(separator: " ").compactMap { UInt32($0) }
            let scalar = try #require(Unicode.Scalar(numbers[0]))
            if scalar == "\u{AD}" || changedSince.contains(where: { $0.contains(numbers[0]) }) { continue }
            let width = DisplayWidth.of(scalar)
            if width != Int(numbers[1]) {
                Issue.record("U+\(String(numbers[0], radix: 16)): \(width), Python \(numbers[1])")
            }
            checked += 1
        }
        #expect(checked > 100_000)
    }

    @Test(arguments: [
        ("plain", "plain"),
        ("\u{1B}[31mred\u{1B}[0m", "red"),
        ("\u{9B}31mred", "red"),
        ("\u{1B}]0;window title\u{07}after", "after"),
        ("\u{1B}]8;;http://a.example\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
        ("\u{1B}Pdevice control\u{1B}\\after", "after"),
        ("open \u{1B}]0;never closed", "open 0;never closed"),
        ("\u{1B}cafter reset", "after reset"),
        ("bell\u{07} back\u{08} delete\u{7F}", "bell back delete"),
        ("two\r\nlines\tand a tab", "two lines and a tab"),
        ("\u{202E}evil\u{202C} \u{2066}isolate\u{2069}\u{200F}", "evil isolate"),
        ("zero\u{200B}width\u{FEFF}", "zerowidth"),
        ("a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}b", "a\u{301}\u{302}\u{303}\u{304}b"),
        ("\u{301}starts with a mark", "starts with a mark"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("private \u{E000} unassigned \u{378}", "private \u{FFFD} unassigned \u{FFFD}"),
        ("line\u{2028}separator", "line separator"),
        ("❤\u{FE0F}", "❤"),
        ("", ""), ("\u{1B}", ""), ("\u{1B}[", ""),
    ])
    func removesWhatATerminalWouldActOn(_ text: String, _ expected: String) {
        #expect(Array(DisplayText.cleaned(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(arguments: [
        ("Björk — Jóga…", "Bjork - Joga..."), ("F♯ minor", "F# minor"), ("ﬁne ½", "fine 1?2"), ("東京", "??"),
        ("Mötley Crüe × 3", "Motley Crue x 3"),
    ])
    func fallsBackToASCII(_ text: String, _ expected: String) {
        #expect(DisplayText.ascii(text) == expected)
    }

    @Test(arguments: [
        ("東京事変", 8, "東京事変"), ("東京事変", 7, "東京事…"), ("東京事変", 6, "東京…"), ("abc", 2, "a…"), ("abc", 0, ""),
        ("ab cdef", 4, "ab…"),
    ])
    func cutsByColumns(_ text: String, _ columns: Int, _ expected: String) {
        #expect(DisplayText.cut(text, to: columns, ellipsis: "…") == expected)
    }
}
