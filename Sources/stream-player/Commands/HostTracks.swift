import CommandLineProgram
import MusicShared
import StreamClient
import StreamClientHost

/// Parses track arguments of the command line: `track:ID`, `album:ID`, `playlist:ID`, `radio:TRACK`.
enum HostTracks {
    private static let kinds = ["track", "album", "playlist", "radio"]

    /// Whether an argument refers to tracks of a host.
    static func areMeant(by word: String) -> Bool { parts(word) != nil }

    private static func parts(_ word: String) -> (kind: String, id: Int)? {
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let id = Int(parts[1]), kinds.contains(parts[0]) else { return nil }
        return (parts[0], id)
    }

    /// The track that an argument starts a radio from; nil if it means something else.
    static func radioTrack(_ word: String) -> Int? {
        parts(word).flatMap { $0.kind == "radio" ? $0.id : nil }
    }

    /// Returns the tracks in order.
    /// - Throws: `UsageError` if the argument is invalid; any error of the library.
    static func named(_ word: String, in library: any LibraryServiceProvider) async throws -> [TrackItem] {
        guard let (kind, id) = parts(word), kind != "radio" else {
            throw UsageError(message: "'\(word)' is not a track:ID, album:ID or playlist:ID")
        }
        switch kind {
        case "track": return [try await library.track(id: id)]
        case "album": return try await library.album(id: id).tracks ?? []
        default:
            var tracks: [TrackItem] = []
            while true {
                let list = try await library.playlist(
                    id: id, limit: CatalogueLimits.largestPage, offset: tracks.count)
                let items = list.entries?.items ?? []
                tracks += items.map(\.track)
                if items.isEmpty || tracks.count >= list.trackCount { return tracks }
            }
        }
    }
}
