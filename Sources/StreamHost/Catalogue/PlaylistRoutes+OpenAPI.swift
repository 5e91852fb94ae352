internal import APIDescription
internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

extension PlaylistRoutes {
    private static let tag = "Playlists"
    private static let playlist = [OpenAPIResponse.Content.json(.named("Playlist"))]
    private static let number = OpenAPIParameter.path(
        "playlist_id", "Playlist ID.", .identifier(example: 1))
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

    private static let busy = OpenAPIError(
        status: .serviceUnavailable, code: "busy", meaning: "The library is locked by another process.")
    private static let nameTaken = OpenAPIError(
        status: .conflict, code: "name_taken", meaning: "Another playlist of the account has this name.")
    private static let badTracks = [
        OpenAPIError(
            status: .unprocessableContent, code: "no_such_track",
            meaning: "There is no track with one of the IDs."),
        OpenAPIError(
            status: .unprocessableContent, code: "too_many_entries",
            meaning: "Too many entries for a playlist."),
    ]
    private static let badPosition = OpenAPIError(
        status: .unprocessableContent, code: "bad_position", meaning: "The playlist has no such position.")
    private static let change = [
        OpenAPIError.nothing, busy,
        OpenAPIError(
            status: .forbidden, code: "not_owner", meaning: "The playlist belongs to another account."),
        OpenAPIError(
            status: .preconditionFailed, code: "changed_meanwhile",
            meaning: "The playlist has changed (ETag mismatch)."),
    ]
    private static let condition = OpenAPIError(
        status: .preconditionRequired, code: "precondition_required",
        meaning: "`If-Match` is missing; positions are only valid for one state of the playlist.")

    static let operations = reading + changing + changingEntries

    private static let reading = [
        OpenAPIOperation(
            method: .get, path: Routes.playlists, id: "playlists", summary: "List playlists",
            details: "Those of the caller's account and public ones of others.", tag: tag,
            access: .key,
            parameters: [.search, .sort(PlaylistSort.self, "Sort order; by name by default.")]
                + OpenAPIParameter.page(), answer: "The playlists.",
            contents: [.json(.named("PlaylistPage"))], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.playlist, id: "playlist", summary: "Get a playlist with its tracks",
            tag: tag, access: .key,
            parameters: [number] + OpenAPIParameter.page(standard: CatalogueLimits.largestPage),
            answer: "The playlist.", contents: playlist, hasEntityTag: true,
            errors: [.badParameter, .unknownParameter, .nothing]),
    ]

    private static let changing = [
        OpenAPIOperation(
            method: .post, path: Routes.playlists, id: "makePlaylist", summary: "Create a playlist",
            tag: tag, access: .key,
            body: .object([
                .always("name", name), .maybe("description", description), .maybe("track_ids", tracks.orNull),
                .maybe("is_public", isPublic.orNull),
            ]), status: .created, answer: "The playlist.", contents: playlist, headers: [.location],
            hasEntityTag: true, errors: badTracks + [nameTaken, busy, .nothing]),
        OpenAPIOperation(
            method: .patch, path: Routes.playlist, id: "editPlaylist",
            summary: "Change the name, description or visibility of a playlist", tag: tag, access: .key,
            parameters: [number, .ifMatch(isRequired: false)],
            body: .object([
                .maybe("name", name), .maybe("description", description), .maybe("is_public", isPublic),
            ]),
            answer: "The updated playlist.", contents: playlist, hasEntityTag: true,
            errors: change + [nameTaken]),
        OpenAPIOperation(
            method: .delete, path: Routes.playlist, id: "removePlaylist", summary: "Delete a playlist",
            details: "Its tracks stay in the library.", tag: tag, access: .key,
            parameters: [number, .ifMatch(isRequired: false)], status: .noContent,
            answer: "The playlist was deleted.",
            errors: change),
        OpenAPIOperation(
            method: .put, path: Routes.playlistTracks, id: "setPlaylistTracks",
            summary: "Replace all tracks of a playlist", tag: tag, access: .key,
            parameters: [number, .ifMatch(isRequired: false)], body: .object([.always("track_ids", tracks)]),
            answer: "The updated playlist.", contents: playlist, hasEntityTag: true,
            errors: change + badTracks),
    ]

    private static let changingEntries = [
        OpenAPIOperation(
            method: .post, path: Routes.playlistEntries, id: "addToPlaylist",
            summary: "Add tracks to a playlist", details: "`If-Match` is required if a position is given.",
            tag: tag,
            access: .key, parameters: [number, .ifMatch(isRequired: false)],
            body: .object([
                .always("track_ids", tracks),
                .maybe(
                    "position",
                    .integer(
                        "Zero-based position to insert at; appended if omitted.",
                        maximum: CatalogueLimits.playlistEntries
                    ).orNull),
            ]), answer: "The updated playlist.", contents: playlist, hasEntityTag: true,
            errors: change + badTracks + [badPosition, condition]),
        OpenAPIOperation(
            method: .patch, path: Routes.playlistEntry, id: "moveInPlaylist",
            summary: "Move an entry of a playlist", tag: tag, access: .key,
            parameters: [number, place, .ifMatch(isRequired: true)],
            body: .object([
                .always(
                    "position",
                    .integer(
                        "New zero-based position of the entry.", maximum: CatalogueLimits.playlistEntries,
                        example: 0))
            ]), answer: "The updated playlist.", contents: playlist, hasEntityTag: true,
            errors: change + [badPosition, condition]),
        OpenAPIOperation(
            method: .delete, path: Routes.playlistEntry, id: "removeFromPlaylist",
            summary: "Remove an entry from a playlist", tag: tag, access: .key,
            parameters: [number, place, .ifMatch(isRequired: true)], answer: "The updated playlist.",
            contents: playlist, hasEntityTag: true, errors: change + [badPosition, condition]),
    ]

    static let schemas = CatalogueSchemas.named
}
