internal import APIDescription
internal import MusicShared

extension PushRoutes {
    static let channels = [
        AsyncAPIChannel(
            name: "push", path: Routes.push, title: "Event channel",
            details: """
                The host sends events; clients send nothing. A client that was offline passes the last `id` that it has as \
                `since`. A client that does not read is closed with \(PushCloseCode.tooSlow), and may reconnect with its \
                cursor. If the API key was replaced or the app password revoked, the host closes with \(AccessCloseCode.keyReplaced). Clients must \
                ignore unknown types.
                """,
            query: .object([.maybe("since", .text("The `id` of the last message that the client has."))]),
            messages: [
                message(
                    "welcome", "The first message of a connection.",
                    [.always("is_resumed", .flag("Whether the events since the client's cursor follow."))]),
                message(
                    "resync",
                    "The events since the client's cursor are not available: fetch everything again.",
                    [.always("reason", .oneOf(PushResyncReason.allCases.map(\.rawValue)))]),
                message("tracks_added", "New or restored tracks.", [tracks]),
                message("tracks_changed", "Tracks whose tags, audio or path have changed.", [tracks]),
                message("tracks_removed", "Tracks whose file was removed.", [tracks]),
                message("profiles_ready", "Profiles that are now available.", [tracks]),
                message("frames_ready", "Spectrum frames that are now available.", [tracks]),
                message("analysis_failed", "A file could not be analysed.", failure),
                message("job_progress", "Progress of a job.", [.always("job", .named("Job"))]),
                message(
                    "library_changed", "The library database has changed: download it with `GET /db`.",
                    [.always("revision", .text("Its revision, for `since` of `GET /api/changes`."))]),
                message("listening_changed", "Stars, ratings or plays of the client's account have changed."),
                message(
                    "warning", "Another problem that the owner should know about.",
                    [
                        .always("code", .text("Stable code of the problem.")),
                        .always("message", .text("Human-readable description.")),
                    ]),
            ])
    ]

    private static let failure: [JSONSchema.Property] = [
        .always("relative_path", .text("Path relative to the music folder.")),
        .always("code", .text("Stable error code.")),
        .always("message", .text("Human-readable reason.")),
    ]

    private static let tracks = JSONSchema.Property.always(
        "tracks",
        .array(
            of: .object([
                .always("track_id", .identifier("Track ID.", example: 17)),
                .always("relative_path", .text("Path relative to the music folder.", example: "Low/Was.mp3")),
                .maybe("previous_path", .text("The previous path, if the track was moved.")),
            ]), "The tracks."))

    /// A message identified by its `type`.
    private static func message(
        _ type: String, _ summary: String, _ properties: [JSONSchema.Property] = []
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: type, sender: .host, summary: summary,
            payload: .object(
                [
                    .always("id", .text("The cursor after this event, for `since`; opaque.")),
                    .always("at", .number("Time of the event, in seconds since 1970 (UTC).", minimum: 0)),
                    .always("type", .oneOf([type])),
                ] + properties))
    }
}
