internal import APIDescription
internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

extension CatalogueRoutes {
    private static let genre = OpenAPIParameter.query("genre", "Only items of this genre.", .text())
    private static let year = OpenAPIParameter.query(
        "year", "Only items of this year.", .integer(minimum: 1, maximum: 9999))
    private static let include = OpenAPIParameter.query(
        "include", "Additional data for each track: `listening` adds stars, ratings and plays.",
        .oneOf(["listening"]))
    private static let revision = JSONSchema(
        kind: .string(.pattern("^[1-9][0-9]*-[0-9a-f]{8}$")), examples: [.text("1204-0f3a99c2")])
    private static let badList = [OpenAPIError.badParameter, .unknownParameter]

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.tracks, id: "tracks", summary: "List tracks",
            details:
                "By default sorted by relevance for a search, by number within an album, and by artist otherwise.",
            tag: "Catalogue", access: .key,
            parameters: [
                .search, .only("artist_id", "Only tracks by this artist."),
                .only("album_id", "Only tracks of this album."),
                genre, year, .sort(TrackSort.self, "Sort order."), include,
            ] + OpenAPIParameter.page(), answer: "The tracks.", contents: [.json(.named("TrackPage"))],
            hasEntityTag: true, errors: badList),
        OpenAPIOperation(
            method: .get, path: Routes.track, id: "track", summary: "Get a track",
            tag: "Catalogue", parameters: [.trackID, include], answer: "The track.",
            contents: [.json(.named("Track"))], hasEntityTag: true,
            errors: [.nothing, .badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.albums, id: "albums", summary: "List albums",
            tag: "Catalogue", access: .key,
            parameters: [
                .search, .only("artist_id", "Only albums by this artist."), genre, year,
                .sort(AlbumSort.self, "Sort order; by default by relevance for a search, else by title."),
            ] + OpenAPIParameter.page(), answer: "The albums.", contents: [.json(.named("AlbumPage"))],
            hasEntityTag: true, errors: badList),
        OpenAPIOperation(
            method: .get, path: Routes.album, id: "album", summary: "Get an album with its tracks",
            tag: "Catalogue", access: .key,
            parameters: [.path("album_id", "Album ID.", .identifier(example: 1))],
            answer: "The album.", contents: [.json(.named("Album"))], hasEntityTag: true,
            errors: [.nothing, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.artists, id: "artists", summary: "List artists",
            tag: "Catalogue", access: .key,
            parameters: [
                .search,
                .sort(ArtistSort.self, "Sort order; by default by relevance for a search, else by name."),
            ]
                + OpenAPIParameter.page(), answer: "The artists.",
            contents: [.json(.named("ArtistPage"))], hasEntityTag: true, errors: badList),
        OpenAPIOperation(
            method: .get, path: Routes.artist, id: "artist", summary: "Get an artist with their albums",
            tag: "Catalogue", access: .key,
            parameters: [.path("artist_id", "Artist ID.", .identifier(example: 1))],
            answer: "The artist.", contents: [.json(.named("Artist"))], hasEntityTag: true,
            errors: [.nothing, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.changes, id: "changes",
            summary: "List changes of the catalogue since a revision",
            details:
                "To mirror tracks, albums and artists, a client first requests this without `since` and stores the revision, then "
                + "reads the lists. From then on it passes the revision of the last response, and repeats at once while "
                + "`has_more` is true. Items are returned in their current state. If `is_reset` is true, the client must read "
                + "the lists again: the revision is too old, or belongs to another library, for example after a restore.",
            tag: "Catalogue", access: .key,
            parameters: [
                .query("since", "The revision of the last response.", revision),
                .query(
                    "limit", "Maximum number of changes.",
                    JSONSchema(
                        kind: .integer(minimum: 1, maximum: CatalogueLimits.largestPage),
                        standard: .number(Double(CatalogueLimits.largestPage)))),
            ], answer: "The changes.", contents: [.json(.named("CatalogueChanges"))], hasEntityTag: true,
            errors: badList),
    ]

    static let schemas = CatalogueSchemas.named
}
