internal import Analyzer
internal import APIDescription
internal import Catalogue
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// The body of a request to find tracks: at least one of the lists.
struct TrackLookupContent: JSONContent {
    let trackIDs: [Int]?
    let audioHashes: [String]?
    let relativePaths: [String]?

    static let keys = ["track_ids", "audio_hashes", "relative_paths"]

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case audioHashes = "audio_hashes"
        case relativePaths = "relative_paths"
    }

    /// The longest list.
    private static let largestCount = CatalogueLimits.largestPage

    static let schema: JSONSchema = [
        "track_ids": list(of: .identifier(example: 1), "Track IDs."),
        "audio_hashes": list(of: .text(), "Hashes of audio, 32 hexadecimal digits each."),
        "relative_paths": list(of: .text(example: "1.mp3"), "Paths relative to the music folder."),
    ]

    private static func list(of item: JSONSchema, _ meaning: String) -> JSONSchema {
        .array(of: item, meaning, maximumCount: largestCount).orNull.optional
    }

    /// Returns what the request asks for. Texts that no hash and no path can have are left out, like those of missing tracks.
    /// - Throws: 422 if there is no list, or one is too long or has an invalid ID.
    func lookup() throws(HTTPError) -> TrackLookup {
        let counts = [
            ("track_ids", trackIDs?.count), ("audio_hashes", audioHashes?.count),
            ("relative_paths", relativePaths?.count),
        ]
        guard counts.contains(where: { $0.1 != nil }) else {
            throw APIError.nothingSelected(
                "Give at least one of track_ids, audio_hashes and relative_paths.", field: "track_ids")
        }
        for (field, count) in counts where count ?? 0 > Self.largestCount {
            throw APIError.tooManyItems("The list may have at most \(Self.largestCount) items.", field: field)
        }
        guard trackIDs?.allSatisfy(JSONSchema.identifiers.contains) ?? true else {
            throw APIError.invalidField("The list has an invalid ID.", field: "track_ids")
        }
        var lookup = TrackLookup()
        lookup.ids = trackIDs ?? []
        lookup.audioHashes = (audioHashes ?? []).compactMap { AudioHash(hex: $0)?.bytes }
        lookup.relativePaths = (relativePaths ?? []).compactMap { RelativePath(text: $0)?.text }
        return lookup
    }
}
