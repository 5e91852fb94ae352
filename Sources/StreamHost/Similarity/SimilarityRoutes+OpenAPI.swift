internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension SimilarityRoutes {
    static let tag = "Similarity"

    /// Maximum number of tracks in a response.
    private static let largestCount = 100
    private static let standardCount = 20

    static let count = QueryParameter<Int>(
        "count", "Maximum number of tracks.", in: 1...largestCount, default: standardCount)
    static let pathCount = QueryParameter<Int>(
        "count", "Maximum number of tracks, including both ends.", in: 2...largestCount,
        default: standardCount)
    static let otherArtists = QueryParameter<Bool>(
        "other_artists", "Whether to leave out the artist of the track.")
    static let from = QueryParameter<Int?>(id: "from", "ID of the first track.", example: 1).required()
    static let to = QueryParameter<Int?>(id: "to", "ID of the last track.", example: 2).required()
    static let track = QueryParameter<Int?>(id: "track", "ID of the track to start from.", example: 1)
    static let artist = QueryParameter<Int?>(id: "artist", "ID of the artist to start from.")
    static let album = QueryParameter<Int?>(id: "album", "ID of the album to start from.")
    static let genre = QueryParameter<String?>("genre", "The genre to start from, in any case.")
    static let cursor = QueryParameter<RadioCursor?>(
        "cursor", "`next_cursor` of the last response.", .text(),
        expected: "next_cursor of an earlier response; omit it to start a radio"
    ) { RadioCursor($0) }

    static let mapLimit = QueryParameter<Int?>(
        "limit", "Maximum number of tracks; by default all.", in: 1...1_000_000)

    static let operations = [
        operation(
            .get, Routes.similarTracks, "similarTracks", "List the tracks that sound most like one",
            details: "The most similar first. Copies of the track are left out.",
            parameters: [count, otherArtists], answer: .json("SimilarItems", "The tracks.").tagged,
            errors: [.notAnalysed]),
        operation(
            .get, Routes.radio, "radio", "Start or continue a radio",
            details: """
                An endless queue of tracks that sound like a track, or like those of an artist, album or genre: give exactly \
                one of them. An artist occurs twice in a row, and a track again within 50, only if the library has no \
                others; what the account has played recently is avoided. Tracks are chosen by similarity, by key, tempo and \
                level of the track before, and by chance. The radio of a track starts with it. To continue, repeat the \
                request with `cursor`.
                """, parameters: [track, artist, album, genre, count, cursor],
            answer: .json("RadioPage", "The next tracks."),
            errors: [.noSuchTrack, .noSuchArtist, .noSuchAlbum, .noSuchGenre, .notAnalysed]),
        operation(
            .get, Routes.path, "path", "Find a path of tracks between two",
            details:
                "The sound changes in even steps from the first track to the last. `similarity` is that to the first.",
            parameters: [from, to, pathCount], answer: .json("SimilarItems", "The tracks in order.").tagged,
            errors: [.noSuchTrack, .notAnalysed]),
        operation(
            .get, Routes.libraryMap, "libraryMap", "Get a map of the library",
            details: """
                Tracks that sound alike are near each other; tracks without a descriptor are left out. With a `limit`, the \
                answer has an even sample of a larger library, always the same one. Groups are genres, or artists for tracks \
                without a genre; tracks with neither are one group. They are numbered by their size in the whole library. \
                After a change of a large library the first request takes some seconds.
                """, parameters: [mapLimit], answer: .json("SoundMap", "The map.").tagged),
    ]

    static let schemas: [String: JSONSchema] = [
        "SimilarItem": [
            "track": .named("Track"),
            "similarity": .share("1 for the same sound, towards 0 for the most different"),
        ],
        "SimilarItems": ["items": .array(of: .named("SimilarItem"), "The tracks in order.")],
        "RadioPage": [
            "items": .array(of: .named("Track"), "The tracks in order."),
            "next_cursor": .text("Continues the radio."),
        ],
        "SoundMap": [
            "track_ids": .array(of: .identifier(), "IDs of the tracks."),
            "x": .array(of: .number(minimum: 0, maximum: 1), "Horizontal place of each track, 0…1."),
            "y": .array(of: .number(minimum: 0, maximum: 1), "Vertical place of each track, 0…1."),
            "groups": .array(of: .integer(), "Number of each track's group, 0 for the largest."),
        ],
    ]
}
