internal import Companion
internal import HTTPServer
internal import MusicShared

extension ExportRoutes {
    static let operations = [
        operation(Routes.trackExport, "exportTrack", "A track", .trackID, .keyOrToken),
        operation(
            Routes.albumExport, "exportAlbum", "An album",
            .path("album_id", "Number of the album.", .identifier(example: 1)), .key),
        operation(
            Routes.playlistExport, "exportPlaylist", "A playlist",
            .path("playlist_id", "Number of the playlist.", .identifier(example: 1)), .key),
    ]

    private static func operation(
        _ path: String, _ id: String, _ subject: String, _ parameter: OpenAPIParameter,
        _ access: OpenAPIOperation.Access
    ) -> OpenAPIOperation {
        OpenAPIOperation(
            method: .get, path: path, id: id, summary: "\(subject) for another system",
            details: """
                A playlist of files, Liquidsoap's annotated requests, what autocue's cue_file prints, AzuraCast's fields, or MixRamp \
                tags. Tracks that a form cannot hold are left out.
                """, tag: "Catalogue", access: access,
            parameters: [
                parameter,
                .query(
                    "format", "The form.", .oneOf(PlaylistFormat.allCases.map(\.rawValue), standard: "m3u8")),
                .query(
                    "prefix", "What stands before each path within the music folder, such as `/music/`.",
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
