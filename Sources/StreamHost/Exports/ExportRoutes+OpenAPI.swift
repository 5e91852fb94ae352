internal import APIDescription
internal import Companion
internal import HTTPServer
internal import MusicShared

extension ExportRoutes {
    static let tag = "Catalogue"

    static let format = QueryParameter<PlaylistFormat>("format", "Document format.", default: .m3u8)
    static let prefix = QueryParameter<String>(
        "prefix",
        "Prefix for each path within the music folder, such as `/music/`. A slash is added unless it ends in one of "
            + "`/ \\ = : ? & #`.",
        .text(
            matching: "^[^\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029]*$", maximumLength: longestPrefix,
            example: "/music/"),
        default: "", expected: "a single line of at most \(longestPrefix) characters"
    ) { text in
        text.unicodeScalars.count <= longestPrefix
            && !text.unicodeScalars.contains(where: SingleLine.endsLines)
            ? text : nil
    }

    static let operations = [
        export(Routes.trackExport, "exportTrack", "a track", .keyOrToken),
        export(Routes.albumExport, "exportAlbum", "an album", .key),
        export(Routes.playlistExport, "exportPlaylist", "a playlist", .key),
    ]

    private static func export(
        _ path: String, _ id: String, _ subject: String, _ access: OpenAPIOperation.Access
    ) -> OpenAPIOperation {
        operation(
            .get, path, id, "Export \(subject) for another system",
            details: """
                As a playlist file, Liquidsoap annotated requests, the output of autocue's cue_file, AzuraCast fields, or MixRamp \
                tags. Tracks that the format cannot represent are omitted.
                """, access: access,
            parameters: [format, prefix],
            answer: .content(
                .text("application/vnd.apple.mpegurl"), .text("text/plain"),
                .json(JSONSchema(kind: .anything)), meaning: "The document."))
    }
}
