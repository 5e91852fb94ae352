internal import Catalogue
internal import Companion
internal import HTTPServer
internal import MusicShared

extension PlaylistRoutes {
    private static let tag = "Playlists"
    private static let playlist = [OpenAPIResponse.Content.json(.named("Playlist"))]
    private static let number = OpenAPIParameter.path(
        "playlist_id", "Number of the playlist.", .identifier(example: 1))
    private static let place = OpenAPIParameter.path(
        "position", "The place of the entry, counted from 0.",
        .integer(maximum: CatalogueLimits.playlistEntries - 1, example: 0))

    private static let name = JSONSchema.text(
        matching: #"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"#,
        "Its name: something beside white space, no control characters.",
        maximumLength: CatalogueLimits.playlistName, example: "Rainy evenings")
    private static let description = JSONSchema.text(
        matching: #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
        "What its owner says of it; null for nothing.",
        maximumLength: CatalogueLimits.playlistDescription
    ).orNull
    private static let tracks = JSONSchema.array(
        of: .identifier(example: 1), "Numbers of tracks, in order; one may occur often.",
        maximumCount: CatalogueLimits.playlistEntries)

    private static let busy = OpenAPIError(
        status: .serviceUnavailable, code: "busy", meaning: "Another program keeps the library locked.")
    private static let nameTaken = OpenAPIError(
        status: .conflict, code: "name_taken", meaning: "Another playlist has the name.")
    private static let badTracks = [
        OpenAPIError(
            status: .unprocessableContent, code: "no_such_track", meaning: "There is no track of a number."),
        OpenAPIError(
            status: .unprocessableContent, code: "too_many_entries",
            meaning: "A playlist cannot have so many."),
    ]
    private static let badPosition = OpenAPIError(
        status: .unprocessableContent, code: "bad_position", meaning: "The playlist has no such place.")
    private static let change = [
        OpenAPIError.nothing, busy,
        OpenAPIError(
            status: .preconditionFailed, code: "changed_meanwhile",
            meaning: "The playlist is in none of the states that `If-Match` names."),
    ]
    private static let condition = OpenAPIError(
        status: .preconditionRequired, code: "precondition_required",
        meaning: "`If-Match` is missing: positions mean something in one state of the playlist only.")

    static let operations = reading + changing + changingEntries

    private static let reading = [
        OpenAPIOperation(
            method: .get, path: Routes.playlists, id: "playlists", summary: "The playlists", tag: tag,
            access: .key,
            parameters: [.search, .sort(PlaylistSort.self, "What to sort by: name unless told.")]
                + OpenAPIParameter.page(), answer: "The playlists.",
            contents: [.json(.named("PlaylistPage"))], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .get, path: Routes.playlist, id: "playlist", summary: "A playlist with its tracks",
            tag: tag, access: .key,
            parameters: [number] + OpenAPIParameter.page(standard: CatalogueLimits.largestPage),
            answer: "The playlist.", contents: playlist, hasEntityTag: true,
            errors: [.badParameter, .unknownParameter, .nothing]),
    ]

    private static let changing = [
        OpenAPIOperation(
            method: .post, path: Routes.playlists, id: "makePlaylist", summary: "Makes a playlist",
            tag: tag, access: .key,
            body: .object([
                .always("name", name), .maybe("description", description), .maybe("track_ids", tracks.orNull),
            ]), status: .created, answer: "The playlist.", contents: playlist, headers: [.location],
            hasEntityTag: true, errors: badTracks + [nameTaken, busy, .nothing]),
        OpenAPIOperation(
            method: .patch, path: Routes.playlist, id: "editPlaylist",
            summary: "Gives a playlist another name or description", tag: tag, access: .key,
            parameters: [number, .ifMatch(isRequired: false)],
            body: .object([.maybe("name", name), .maybe("description", description)]),
            answer: "The playlist as it is now.", contents: playlist, hasEntityTag: true,
            errors: change + [nameTaken]),
        OpenAPIOperation(
            method: .delete, path: Routes.playlist, id: "removePlaylist", summary: "Removes a playlist",
            details: "Its tracks stay in the library.", tag: tag, access: .key,
            parameters: [number, .ifMatch(isRequired: false)], status: .noContent, answer: "It is gone.",
            errors: change),
        OpenAPIOperation(
            method: .put, path: Routes.playlistTracks, id: "setPlaylistTracks",
            summary: "Replaces all tracks of a playlist", tag: tag, access: .key,
            parameters: [number, .ifMatch(isRequired: false)], body: .object([.always("track_ids", tracks)]),
            answer: "The playlist as it is now.", contents: playlist, hasEntityTag: true,
            errors: change + badTracks),
    ]

    private static let changingEntries = [
        OpenAPIOperation(
            method: .post, path: Routes.playlistEntries, id: "addToPlaylist",
            summary: "Adds tracks to a playlist", details: "With a position it needs `If-Match`.", tag: tag,
            access: .key, parameters: [number, .ifMatch(isRequired: false)],
            body: .object([
                .always("track_ids", tracks),
                .maybe(
                    "position",
                    .integer(
                        "Before which entry, counted from 0; at the end where it is left out.",
                        maximum: CatalogueLimits.playlistEntries
                    ).orNull),
            ]), answer: "The playlist as it is now.", contents: playlist, hasEntityTag: true,
            errors: change + badTracks + [badPosition, condition]),
        OpenAPIOperation(
            method: .patch, path: Routes.playlistEntry, id: "moveInPlaylist",
            summary: "Moves an entry of a playlist", tag: tag, access: .key,
            parameters: [number, place, .ifMatch(isRequired: true)],
            body: .object([
                .always(
                    "position",
                    .integer(
                        "The place where it is to be then.", maximum: CatalogueLimits.playlistEntries,
                        example: 0))
            ]), answer: "The playlist as it is now.", contents: playlist, hasEntityTag: true,
            errors: change + [badPosition, condition]),
        OpenAPIOperation(
            method: .delete, path: Routes.playlistEntry, id: "removeFromPlaylist",
            summary: "Removes an entry of a playlist", tag: tag, access: .key,
            parameters: [number, place, .ifMatch(isRequired: true)], answer: "The playlist as it is now.",
            contents: playlist, hasEntityTag: true, errors: change + [badPosition, condition]),
    ]

    static let schemas = CatalogueSchemas.named
}
