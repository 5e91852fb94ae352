internal import APIDescription
internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

extension PlaylistRoutes {
    static let tag = "Playlists"
    static let sort = Query.sort(PlaylistSort.self, "Sort order; by name by default.")
    static let limit = Query.limit(CatalogueLimits.largestPage)
    private static let place = OpenAPIParameter.path(
        "position", "Zero-based position of the entry.",
        .integer(maximum: CatalogueLimits.playlistEntries - 1, example: 0))

    private static let name = JSONSchema.text(
        matching: #"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"#,
        "Name; not blank, without control characters.",
        maximumLength: CatalogueLimits.playlistName, example: "Rainy evenings")
    private static let description = JSONSchema.text(
        matching: #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
        "Description; may be null.",
        maximumLength: CatalogueLimits.playlistDescription
    ).orNull
    private static let tracks = JSONSchema.array(
        of: .identifier(example: 1), "Track IDs in order; duplicates are allowed.",
        maximumCount: CatalogueLimits.playlistEntries)

    private static let isPublic = JSONSchema.flag("Whether all accounts see it; by default only yours.")

    private static let nameTaken = APIError.nameTaken.when("Another playlist of the account has this name.")
    private static let rules = JSONSchema.named("SmartRules")
    private static let badTracks = [APIError.noSuchTracks, .tooManyEntries]
    private static let change = [
        APIError.busy, .listeningAway, .notOwner.when("The playlist belongs to another account."),
        .changedMeanwhile.when("The playlist has changed (ETag mismatch)."),
    ]
    private static let changeOfTracks = change + [APIError.smartPlaylist]
    private static let condition = APIError.preconditionRequired.when(
        "`If-Match` is missing; positions are only valid for one state of the playlist.")

    static let operations = reading + changing + changingEntries

    private static let reading = [
        operation(
            .get, Routes.playlists, "playlists", "List playlists",
            details: "Those of the caller's account and public ones of others.",
            parameters: [Query.search, sort, Query.limit, Query.offset],
            answer: .json("PlaylistPage", "The playlists.").tagged),
        operation(
            .get, Routes.playlist, "playlist", "Get a playlist with its tracks",
            parameters: [limit, Query.offset],
            answer: .json("Playlist", "The playlist.").tagged),
    ]

    private static let changing = [
        operation(
            .post, Routes.playlists, "makePlaylist", "Create a playlist",
            body: [
                "name": name, "description": description.optional, "track_ids": tracks.orNull.optional,
                "is_public": isPublic.orNull.optional,
                "rules": rules.orNull.optional,
            ], answer: .json("Playlist", "The playlist.").created.tagged,
            errors: badTracks + [nameTaken, .invalidRules, .busy, .listeningAway]),
        operation(
            .patch, Routes.playlist, "editPlaylist",
            "Change the name, description, visibility or rules of a playlist",
            parameters: [OpenAPIParameter.ifMatch(isRequired: false)],
            body: [
                "name": name.optional, "description": description.optional, "is_public": isPublic.optional,
                "rules": rules.optional,
            ], answer: .json("Playlist", "The updated playlist.").tagged,
            errors: change + [nameTaken, .invalidRules, .noRules.when("The playlist is not smart.")]),
        operation(
            .delete, Routes.playlist, "removePlaylist", "Delete a playlist",
            details: "Its tracks stay in the library.",
            parameters: [OpenAPIParameter.ifMatch(isRequired: false)],
            answer: .done("The playlist was deleted."), errors: change),
        operation(
            .put, Routes.playlistTracks, "setPlaylistTracks", "Replace all tracks of a playlist",
            parameters: [OpenAPIParameter.ifMatch(isRequired: false)], body: ["track_ids": tracks],
            answer: .json("Playlist", "The updated playlist.").tagged, errors: changeOfTracks + badTracks),
    ]

    private static let changingEntries = [
        operation(
            .post, Routes.playlistEntries, "addToPlaylist", "Add tracks to a playlist",
            details: "`If-Match` is required if a position is given.",
            parameters: [OpenAPIParameter.ifMatch(isRequired: false)],
            body: [
                "track_ids": tracks,
                "position": .integer(
                    "Zero-based position to insert at; appended if omitted.",
                    maximum: CatalogueLimits.playlistEntries
                ).orNull.optional,
            ], answer: .json("Playlist", "The updated playlist.").tagged,
            errors: changeOfTracks + badTracks + [.badPosition, condition]),
        operation(
            .patch, Routes.playlistEntry, "moveInPlaylist", "Move an entry of a playlist",
            parameters: [place, OpenAPIParameter.ifMatch(isRequired: true)],
            body: [
                "position": .integer(
                    "New zero-based position of the entry.", maximum: CatalogueLimits.playlistEntries,
                    example: 0)
            ], answer: .json("Playlist", "The updated playlist.").tagged,
            errors: changeOfTracks + [.badPosition, condition]),
        operation(
            .delete, Routes.playlistEntry, "removeFromPlaylist", "Remove an entry from a playlist",
            parameters: [place, OpenAPIParameter.ifMatch(isRequired: true)],
            answer: .json("Playlist", "The updated playlist.").tagged,
            errors: changeOfTracks + [.badPosition, condition]),
    ]

    static let schemas = CatalogueSchemas.named
}
