internal import APIDescription
internal import HTTPServer
internal import LibraryStore

/// Lists that select the tracks of a request; a track is selected if any list contains it.
struct SelectionLists: Decodable, Sendable {
    let albumIDs: [Int]
    let artistIDs: [Int]
    let trackIDs: [Int]
    let relativePaths: [String]
    /// Whether the request has any of the lists. An empty list selects nothing.
    let isGiven: Bool

    static let keys = ["album_ids", "artist_ids", "track_ids", "relative_paths"]

    private enum CodingKeys: String, CodingKey {
        case albumIDs = "album_ids"
        case artistIDs = "artist_ids"
        case trackIDs = "track_ids"
        case relativePaths = "relative_paths"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        albumIDs = try values.decode(.albumIDs, orElse: [])
        artistIDs = try values.decode(.artistIDs, orElse: [])
        trackIDs = try values.decode(.trackIDs, orElse: [])
        relativePaths = try values.decode(.relativePaths, orElse: [])
        isGiven = !values.allKeys.isEmpty
        for (key, ids) in [(CodingKeys.albumIDs, albumIDs), (.artistIDs, artistIDs), (.trackIDs, trackIDs)]
        where !ids.allSatisfy(JSONSchema.identifiers.contains) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: values, debugDescription: "not a valid ID")
        }
    }

    var isEmpty: Bool { albumIDs.isEmpty && artistIDs.isEmpty && trackIDs.isEmpty && relativePaths.isEmpty }

    /// Returns the selection, and the given paths that no track can have.
    func selection() throws(HTTPError) -> (known: TrackSelection, impossible: [String]) {
        var selection = TrackSelection()
        selection.albumIDs = albumIDs
        selection.artistIDs = artistIDs
        selection.trackIDs = trackIDs
        var impossible: [String] = []
        for text in relativePaths {
            if let path = RelativePath(text: text) {
                selection.paths.append(path)
            } else {
                impossible.append(text)
            }
        }
        guard selection.count + impossible.count <= TrackSelection.largestCount else {
            throw APIError.tooManyItems(
                "The lists may contain at most \(TrackSelection.largestCount) items in total.")
        }
        return (selection, impossible)
    }

    static let properties: JSONSchema = [
        "album_ids": list(of: .identifier(example: 1), "Album IDs; selects all their tracks.").optional,
        "artist_ids": list(of: .identifier(), "Artist IDs; selects their tracks, and those of their albums.")
            .optional,
        "track_ids": list(of: .identifier(example: 1), "Track IDs.").optional,
        "relative_paths": list(of: .text(example: "1.mp3"), "Paths relative to the music folder.").optional,
    ]

    private static func list(of item: JSONSchema, _ meaning: String) -> JSONSchema {
        .array(of: item, meaning, maximumCount: TrackSelection.largestCount)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a value, or returns a default if the key is missing. Null is an error: it often indicates a
    /// bug in the client.
    func decode<Value: Decodable>(_ key: Key, orElse standard: Value) throws -> Value {
        try contains(key) ? decode(Value.self, forKey: key) : standard
    }
}
