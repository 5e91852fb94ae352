package import APIDescription
internal import HTTPServer
internal import MusicShared

extension AccessRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.auth, id: "checkKey",
            summary: "Check the credential, and identify the host and the account",
            tag: "Access", access: .key, answer: "The credential is valid.",
            contents: [
                .json(
                    .object([
                        .always("host_name", .text("Name of the host.", example: "attic")),
                        .always(
                            "version", .text("Name and version of the program.", example: "stream-host 0.1.0")
                        ),
                        .always(
                            "protocol_version",
                            .integer(
                                "Protocol version. A client only talks to hosts of its own version.",
                                minimum: 1)),
                        .always(
                            "library_id",
                            .text(
                                """
                                ID of the library: random, created with its database. IDs of tracks, albums and artists are only \
                                valid within one library; a client that stores them must store this ID with them.
                                """, example: "5f0c1d9e27ab4438")),
                        .always("account", .named("Account")),
                    ]))
            ]),
        OpenAPIOperation(
            method: .post, path: Routes.token, id: "makeToken",
            summary: "Create a token for one track, album or playlist",
            details: """
                For players that cannot send header fields: append `?token=…` to any URL of the track, or to the stream URL of \
                the album or playlist. Playlists that are fetched with a token pass it on to their segments. One of \
                `track_id`, `album_id` and `playlist_id` is required.
                """, tag: "Access", access: .key,
            parameters: [
                .query(
                    "track_id", "Track ID.", .identifier(example: 1)),
                .query("album_id", "Album ID.", .identifier()),
                .query("playlist_id", "Playlist ID.", .identifier()),
                .query(
                    "seconds", "Lifetime in seconds.",
                    .number(
                        minimum: 0, maximum: StreamToken.longestLifetime, isOpenBelow: true,
                        standard: StreamToken.standardLifetime)),
            ], answer: "The token.",
            contents: [
                .json(
                    .object([
                        .always("token", .text("The value of the `token` parameter.")),
                        .always("expires_at", .integer("Expiry time, in seconds since 1970.")),
                    ]))
            ],
            errors: [
                .badParameter, .noTrack,
                OpenAPIError(
                    status: .unprocessableContent, code: "missing_subject",
                    meaning: "None of the three IDs was given."),
                OpenAPIError(
                    status: .notFound, code: "no_such_album", meaning: "There is no album with this ID."),
                OpenAPIError(
                    status: .notFound, code: "no_such_playlist",
                    meaning: "There is no playlist with this ID."),
            ]),
    ]
}
