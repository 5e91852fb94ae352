import Foundation

/// Titles that break formats.
enum HostileTags {
    static let titles = [
        "plain", "comma, and; semicolon", "\"quoted\"", "line\nbreak", "return\rbreak", "both\r\nbreaks",
        "quote under an accent \"\u{301}", "tab\tstop", "= 1+1", "雪 🎵 é e\u{301}", "\\ backslash \\n",
        "'; DROP TABLE tracks; --",
    ]

    /// Creates a folder with a track for each title, all with the same music.
    static func fixture() throws -> MusicFixture {
        let fixture = try MusicFixture(shared: "hostile-tags")
        for (number, title) in titles.enumerated() {
            try fixture.add(
                MusicFixture.tag(title: title) + MadeMusic.pieces[number % 2], as: "t, \"\(number)\".mp3")
        }
        return fixture
    }
}
