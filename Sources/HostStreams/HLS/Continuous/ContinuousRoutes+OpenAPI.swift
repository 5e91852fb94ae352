package import APIDescription
internal import HTTPServer
internal import MusicShared

extension ContinuousRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.albumStream, id: "albumStream",
            summary: "Get an album as one HLS stream",
            details: details, tag: "HLS",
            parameters: [.path("album_id", "Album ID.", .identifier(example: 1))]
                + HLSRoutes.options,
            answer: "The playlist (RFC 8216).", contents: contents, hasEntityTag: true,
            errors: [
                .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_such_album", meaning: "There is no album with this ID."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.playlistStream, id: "playlistStream",
            summary: "Get a playlist as one HLS stream",
            details: details, tag: "HLS",
            parameters: [.path("playlist_id", "Playlist ID.", .identifier(example: 1))]
                + HLSRoutes.options,
            answer: "The playlist (RFC 8216).", contents: contents, hasEntityTag: true,
            errors: [
                .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_such_playlist",
                    meaning: "There is no playlist with this ID."),
            ]),
    ]

    private static let contents = [OpenAPIResponse.Content.text(HLSManifestGenerator.contentType)]
    private static let details = """
        All tracks in order, separated by discontinuities, on one clock. Tracks that cannot be streamed are omitted, with a \
        comment. Loudness is normalised per album for an album and per track for a playlist, unless requested otherwise.
        """
}
