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
    ]

    static let schemas = CatalogueSchemas.named
}
