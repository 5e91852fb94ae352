internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

extension CatalogueRoutes {
    private static let genre = OpenAPIParameter.query("genre", "Only of this genre.", .text())
    private static let year = OpenAPIParameter.query(
        "year", "Only of this year.", .integer(minimum: 1, maximum: 9999))
    private static let include = OpenAPIParameter.query(
        "include", "What else tracks are to have: stars, ratings and plays.", .oneOf(["listening"]))
    private static let revision = JSONSchema(
        kind: .string(.pattern("^[1-9][0-9]*-[0-9a-f]{8}$")), examples: [.text("1204-0f3a99c2")])
    private static let badList = [OpenAPIError.badParameter, .unknownParameter]

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.tracks, id: "tracks", summary: "Tracks of the catalogue",
            details:
                "Sorted by relevance where something is searched for, within an album by number, else by artist.",
            tag: "Catalogue", access: .key,
            parameters: [
                .search, .only("artist_id", "Only by this artist."), .only("album_id", "Only of this album."),
                genre, year, .sort(TrackSort.self, "What to sort by."), include,
            ] + OpenAPIParameter.page(), answer: "The tracks.", contents: [.json(.named("TrackPage"))],
            hasEntityTag: true, errors: badList),
        OpenAPIOperation(
            method: .get, path: Routes.track, id: "track", summary: "A track of the catalogue",
            tag: "Catalogue", parameters: [.trackID, include], answer: "The track.",
            contents: [.json(.named("Track"))], hasEntityTag: true,
            errors: [.nothing, .badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.albums, id: "albums", summary: "Albums of the catalogue",
            tag: "Catalogue", access: .key,
            parameters: [
                .search, .only("artist_id", "Only by this artist."), genre, year,
                .sort(AlbumSort.self, "What to sort by: title unless told."),
            ] + OpenAPIParameter.page(), answer: "The albums.", contents: [.json(.named("AlbumPage"))],
            hasEntityTag: true, errors: badList),
        OpenAPIOperation(
            method: .get, path: Routes.album, id: "album", summary: "An album with its tracks",
            tag: "Catalogue", access: .key,
            parameters: [.path("album_id", "Number of the album.", .identifier(example: 1))],
            answer: "The album.", contents: [.json(.named("Album"))], hasEntityTag: true,
            errors: [.nothing, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.artists, id: "artists", summary: "Artists of the catalogue",
            tag: "Catalogue", access: .key,
            parameters: [.search, .sort(ArtistSort.self, "What to sort by: name unless told.")]
                + OpenAPIParameter.page(), answer: "The artists.",
            contents: [.json(.named("ArtistPage"))], hasEntityTag: true, errors: badList),
        OpenAPIOperation(
            method: .get, path: Routes.artist, id: "artist", summary: "An artist with the albums",
            tag: "Catalogue", access: .key,
            parameters: [.path("artist_id", "Number of the artist.", .identifier(example: 1))],
            answer: "The artist.", contents: [.json(.named("Artist"))], hasEntityTag: true,
            errors: [.nothing, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.changes, id: "changes",
            summary: "What has changed in the catalogue since a state",
            details:
                "A client that keeps tracks, albums and artists asks once without `since` and notes the revision, reads the "
                + "lists, and from then on asks with the revision of the last answer, again at once while there is more. "
                + "Items are as they are now. Where `is_reset` is true the lists are to be read anew: the state is too old, "
                + "or of another library, as after one was restored.",
            tag: "Catalogue", access: .key,
            parameters: [
                .query("since", "The revision of the last answer.", revision),
                .query(
                    "limit", "The most changes to go through.",
                    JSONSchema(
                        kind: .integer(minimum: 1, maximum: CatalogueLimits.largestPage),
                        standard: .number(Double(CatalogueLimits.largestPage)))),
            ], answer: "The changes.", contents: [.json(.named("CatalogueChanges"))], hasEntityTag: true,
            errors: badList),
    ]

    static let schemas = CatalogueSchemas.named
}
