import Companion
import CommandLineProgram
import LibraryStore

/// Finds the track that a user refers to.
struct TrackLookup {
    private static let shownCandidates = 10

    private let library: LibraryStore

    init(_ library: LibraryStore) { self.library = library }

    enum Result {
        case track(AnalysedTrack)
        case several([CatalogueTrack])
        case none

        func explanation(of name: String) -> String {
            switch self {
            case .track: ""
            case .none: "no track matches \"\(Terminal.harmless(name))\""
            case .several(let tracks):
                (["several tracks match \"\(Terminal.harmless(name))\"; specify one by its ID:"]
                    + tracks.prefix(TrackLookup.shownCandidates).map { track in
                        "  \(track.id)  \(Terminal.harmless(track.path.text))"
                    } + (tracks.count > TrackLookup.shownCandidates ? ["  …"] : [])).joined(separator: "\n")
            }
        }
    }

    /// Searches by path, then by ID, then by words.
    func find(_ name: String) throws -> Result {
        if let path = RelativePath(text: name), let track = try library.track(path: path) {
            return .track(track)
        }
        if let id = Int(name), let track = try library.track(id: id) { return .track(track) }
        let matches = try library.tracks(matching: name, limit: Self.shownCandidates + 1)
        if matches.count == 1, let track = try library.track(id: matches[0].id) { return .track(track) }
        return matches.isEmpty ? .none : .several(matches)
    }
}
