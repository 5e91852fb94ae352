internal import APIDescription
internal import Companion
internal import HTTPServer
internal import MusicShared

extension ExportRoutes {
    static let operations = [
        operation(Routes.trackExport, "exportTrack", "a track", .trackID, .keyOrToken),
        operation(
            Routes.albumExport, "exportAlbum", "an album",
            .path("album_id", "Album ID.", .identifier(example: 1)), .key),
        operation(
            Routes.playlistExport, "exportPlaylist", "a playlist",
            .path("playlist_id", "Playlist ID.", .identifier(example: 1)), .key),
    ]

    private static func operation(
        _ path: String, _ id: String, _ subject: String, _ parameter: OpenAPIParameter,
        _ access: OpenAPIOperation.Access
    ) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .get, path: path, id: id, summary: "Export \(subject) for another system",
            details: """
                As a playlist file, Liquidsoap annotated requests, the output of autocue's cue_file, AzuraCast fields, or MixRamp \
                tags. Tracks that the format cannot represent are omitted.
                """, tag: "Catalogue", access: access,
            parameters: [
                parameter,
                .query(
                    "format", "Document format.",
                    .oneOf(PlaylistFormat.allCases.map(\.rawValue), standard: "m3u8")),
                .query(
                    "prefix",
                    "Prefix for each path within the music folder, such as `/music/`. A slash is added unless it ends in one of "
                        + "`/ \\ = : ? & #`.",
                    .text(
                        matching: "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$",
                        maximumLength: ExportRoutes.longestPrefix, example: "/music/")),
            ], answer: "The document.",
            contents: [
                .text("application/vnd.apple.mpegurl"), .text("text/plain"),
                .json(JSONSchema(kind: .anything)),
            ], errors: [.nothing, .badParameter])
    }
}
