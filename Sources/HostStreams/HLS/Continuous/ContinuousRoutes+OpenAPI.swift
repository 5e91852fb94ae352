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
            answer: .content(.text(HLSManifestGenerator.contentType), "The playlist (RFC 8216).").tagged),
        operation(
            .get, Routes.playlistStream, "playlistStream", "Get a playlist as one HLS stream",
            details: details, access: .keyOrToken,
            parameters: StreamOptions.parameters,
            answer: .content(.text(HLSManifestGenerator.contentType), "The playlist (RFC 8216).").tagged),
    ]

    private static let details = """
        All tracks in order, separated by discontinuities, on one clock. Tracks that cannot be streamed are omitted, with a \
        comment. Loudness is normalised per album for an album and per track for a playlist, unless requested otherwise.
        """
}
