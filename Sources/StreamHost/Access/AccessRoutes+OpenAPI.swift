internal import HTTPServer
internal import MusicShared

extension AccessRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.auth, id: "checkKey", summary: "Checks the key and tells who answers",
            tag: "Access", access: .key, answer: "The key is right.",
            contents: [
                .json(
                    .object([
                        .always("host_name", .text("Name of the host.", example: "attic")),
                        .always(
                            "protocol_version",
                            .integer(
                                "Version of the protocol; clients talk to hosts of their own.", minimum: 1)),
                    ]))
            ]),
        OpenAPIOperation(
            method: .post, path: Routes.token, id: "makeToken",
            summary: "Makes a token for one track, album or playlist",
            details: """
                For players that cannot send header fields: `?token=…` at any address of the track, or at the stream of the \
                album or playlist, lets them read it. Playlists that were had by a token hand one on to their segments. One of \
                the three numbers is needed.
                """, tag: "Access", access: .key,
            parameters: [
                .query(
                    "track_id", "Number of the track.", .identifier(example: 1)),
                .query("album_id", "Number of the album.", .identifier()),
                .query("playlist_id", "Number of the playlist.", .identifier()),
                .query(
                    "seconds", "How long it is to hold, in seconds.",
                    .number(
                        minimum: 0, maximum: StreamToken.longestLifetime, isOpenBelow: true,
                        standard: StreamToken.standardLifetime)),
            ], answer: "The token.",
            contents: [
                .json(
                    .object([
                        .always("token", .text("What to send as `token`.")),
                        .always("expires", .integer("Until when it holds, in seconds since 1970.")),
                    ]))
            ],
            errors: [
                .badParameter, .noTrack,
                OpenAPIError(
                    status: .unprocessableContent, code: "missing_subject",
                    meaning: "None of the three numbers is there."),
                OpenAPIError(
                    status: .notFound, code: "no_such_album", meaning: "There is no album of this number."),
                OpenAPIError(
                    status: .notFound, code: "no_such_playlist",
                    meaning: "There is no playlist of this number."),
            ]),
    ]
}
