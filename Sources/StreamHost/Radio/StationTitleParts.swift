/// Artist and title in the text that a station reports.
struct StationTitleParts: Equatable {
    let artist: String?
    let title: String

    /// Splits "artist - title" at the first dash between spaces; text without one is a title.
    init(_ text: String) {
        for dash in [" - ", " – ", " — "] {
            guard let found = text.firstRange(of: dash) else { continue }
            let artist = text[..<found.lowerBound].trimmingSpaces()
            let title = text[found.upperBound...].trimmingSpaces()
            guard !artist.isEmpty, !title.isEmpty else { continue }
            self.artist = artist
            self.title = title
            return
        }
        artist = nil
        title = text[...].trimmingSpaces()
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        var text = self.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
