package import APIDescription
internal import HTTPServer
internal import MusicShared

extension ContinuousRoutes {
    package static let tag = "HLS"

    package static let operations = [
        operation(
            .get, Routes.albumStream, "albumStream", "Get an album as one HLS stream", details: details,
            access: .keyOrToken,
            parameters: StreamOptions.parameters,
            answer: .content(.text(HLSManifestGenerator.contentType), "The playlist (RFC 8216).").tagged,
            errors: [.notNormalised]),
        operation(
            .get, Routes.playlistStream, "playlistStream", "Get a playlist as one HLS stream",
            details: details, access: .keyOrToken,
            parameters: StreamOptions.parameters,
            answer: .content(.text(HLSManifestGenerator.contentType), "The playlist (RFC 8216).").tagged,
            errors: [.notNormalised]),
    ]

    private static let details = """
        All tracks in order, separated by discontinuities, on one clock. Tracks that cannot be streamed are omitted, with a \
        comment. Tracks of one format stay as they are; in a list of several formats, those that are not MP3 are sent as MP3 \
        in the quality `high`, since players do not change the container within a stream. Loudness is normalised per album for an album and per track for a playlist, unless requested otherwise.
        """
}
