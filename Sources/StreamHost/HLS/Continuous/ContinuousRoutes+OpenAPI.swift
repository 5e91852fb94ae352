internal import HTTPServer
internal import MusicShared

extension ContinuousRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.albumStream, id: "albumStream", summary: "An album as one HLS stream",
            details: details, tag: "HLS",
            parameters: [.path("album_id", "Number of the album.", .identifier(example: 1))]
                + HLSRoutes.options,
            answer: "The playlist (RFC 8216).", contents: contents, hasEntityTag: true,
            errors: [
                .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_such_album", meaning: "There is no album of this number."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.playlistStream, id: "playlistStream",
            summary: "A playlist as one HLS stream",
            details: details, tag: "HLS",
            parameters: [.path("playlist_id", "Number of the playlist.", .identifier(example: 1))]
                + HLSRoutes.options,
            answer: "The playlist (RFC 8216).", contents: contents, hasEntityTag: true,
            errors: [
                .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_such_playlist",
                    meaning: "There is no playlist of this number."),
            ]),
    ]

    private static let contents = [OpenAPIResponse.Content.text(HLSManifestGenerator.contentType)]
    private static let details = """
        All tracks in order, each after a discontinuity, on one clock. Tracks that cannot be streamed are left out, with a comment. \
        The loudness that counts is the album's for an album, each track's own for a playlist, unless asked otherwise.
        """
}
