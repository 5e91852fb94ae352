import Testing

@testable import StreamHost

@Suite("Artist and title of stations")
struct StationTitlePartsTests {
    @Test(
        "Titles are split at the first dash between spaces",
        arguments: [
            ("A - B", "A", "B"), ("A-B - C - D", "A-B", "C - D"), ("A – B", "A", "B"), ("News", nil, "News"),
            ("- B", nil, "- B"), (" - ", nil, "-"), ("", nil, ""), ("A -  B ", "A", "B"),
        ] as [(String, String?, String)])
    func parts(_ text: String, _ artist: String?, _ title: String) {
        let parts = StationTitleParts(text)
        #expect(parts.artist == artist && parts.title == title)
    }
}
