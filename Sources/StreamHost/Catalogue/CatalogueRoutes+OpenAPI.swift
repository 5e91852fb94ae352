internal import APIDescription
internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

extension CatalogueRoutes {
    static let tag = "Catalogue"

    static let artistID = Query.only("artist_id", "Only items by this artist.")
    static let albumID = Query.only("album_id", "Only tracks of this album.")
    static let genre = QueryParameter<String?>("genre", "Only items of this genre.")
    static let year = QueryParameter<Int?>("year", "Only items of this year.", in: 1...9999)
    static let fromYear = QueryParameter<Int?>(
        "from_year", "Only tracks of this year or later.", in: 1...9999)
    static let toYear = QueryParameter<Int?>(
        "to_year", "Only tracks of this year or earlier.", in: 1...9999)
    static let trackSort = Query.sort(TrackSort.self, "Sort order.")
    static let albumSort = Query.sort(
        AlbumSort.self, "Sort order; by default by relevance for a search, else by title.")
    static let artistSort = Query.sort(
        ArtistSort.self, "Sort order; by default by relevance for a search, else by name.")
    static let includesListening = QueryParameter<Bool>(
        "include", "Additional data for each track: `listening` adds stars, ratings and plays.",
        .oneOf(["listening"]), default: false, expected: "\"listening\""
    ) { $0 == "listening" ? true : nil }
    static let since = QueryParameter<CatalogueRevision?>(
        "since", "The revision of the last response.",
        .text(matching: "^[1-9][0-9]*-[0-9a-f]{8}$", example: "1204-0f3a99c2"),
        expected: "a revision from an earlier response; omit it to start over"
    ) { CatalogueRevision($0) }
    static let changeLimit = Query.limit(CatalogueLimits.largestPage, "Maximum number of changes.")

    static let operations = [
        operation(
            .get, Routes.tracks, "tracks", "List tracks",
            details:
                "By default sorted by relevance for a search, by number within an album, and by artist otherwise.",
            parameters: [
                Query.search, artistID, albumID, genre, year, fromYear, toYear, trackSort, includesListening,
                Query.limit, Query.offset,
            ], answer: .json("TrackPage", "The tracks.").tagged),
        operation(
            .post, Routes.trackLookup, "lookUpTracks", "Find tracks by ID, audio or path",
            details: """
                Available tracks, each once: first those with the IDs, then those with the audio, then those at the paths, in the \
                order of the lists. What does not exist is left out. Give at least one list. Of one audio, up to \
                \(TrackLookup.mostCopies) tracks are returned.
                """, body: TrackLookupContent.schema, answer: .json("TrackList", "The tracks."),
            errors: [.nothingSelected.when("There is no list."), .tooManyItems]),
        operation(
            .get, Routes.randomTracks, "randomTracks", "List random tracks",
            details: "Each request has other tracks. Each track occurs once.",
            parameters: [genre, fromYear, toYear, Query.limit], answer: .json("TrackList", "The tracks.")),
        operation(
            .get, Routes.track, "track", "Get a track", access: .keyOrToken,
            parameters: [includesListening], answer: .json("Track", "The track.").tagged),
        operation(
            .get, Routes.albums, "albums", "List albums",
            parameters: [Query.search, artistID, genre, year, albumSort, Query.limit, Query.offset],
            answer: .json("AlbumPage", "The albums.").tagged),
        operation(
            .get, Routes.album, "album", "Get an album with its tracks",
            answer: .json("Album", "The album.").tagged),
        operation(
            .get, Routes.artists, "artists", "List artists",
            parameters: [Query.search, artistSort, Query.limit, Query.offset],
            answer: .json("ArtistPage", "The artists.").tagged
        ),
        operation(
            .get, Routes.artist, "artist", "Get an artist with their albums",
            answer: .json("Artist", "The artist.").tagged),
        operation(
            .get, Routes.genres, "genres", "List genres",
            details: "Sorted by name. Spellings that differ only in the case of Latin letters are one genre.",
            answer: .json("GenreList", "The genres.").tagged),
        operation(
            .get, Routes.years, "years", "List years with the numbers of their tracks",
            details: "In ascending order. Tracks without a year are not counted.",
            answer: .json("YearList", "The years.").tagged),
        operation(
            .get, Routes.changes, "changes", "List changes of the catalogue since a revision",
            details:
                "To mirror tracks, albums and artists, a client first requests this without `since` and stores the revision, then "
                + "reads the lists. From then on it passes the revision of the last response, and repeats at once while "
                + "`has_more` is true. Items are returned in their current state. If `is_reset` is true, the client must read "
                + "the lists again: the revision is too old, or belongs to another library, for example after a restore.",
            parameters: [since, changeLimit], answer: .json("CatalogueChanges", "The changes.").tagged),
    ]

    static let schemas = CatalogueSchemas.named
}
