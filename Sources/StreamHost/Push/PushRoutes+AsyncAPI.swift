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
            query: ["since": .text("The `id` of the last message that the client has.").optional],
            messages: [
                message(
                    "welcome", "The first message of a connection.",
                    ["is_resumed": .flag("Whether the events since the client's cursor follow.")]),
                message(
                    "resync",
                    "The events since the client's cursor are not available: fetch everything again.",
                    ["reason": .oneOf(PushResyncReason.self)]),
                message("tracks_added", "New or restored tracks.", tracks),
                message("tracks_changed", "Tracks whose tags, audio or path have changed.", tracks),
                message("tracks_removed", "Tracks whose file was removed.", tracks),
                message("profiles_ready", "Profiles that are now available.", tracks),
                message("frames_ready", "Spectrum frames that are now available.", tracks),
                message("analysis_failed", "A file could not be analysed.", .fileFailure),
                message("job_progress", "Progress of a job.", ["job": .named("Job")]),
                message(
                    "library_changed", "The library database has changed: download it with `GET /db`.",
                    ["revision": .text("Its revision, for `since` of `GET /api/changes`.")]),
                message("listening_changed", "Stars, ratings or plays of the client's account have changed."),
                message(
                    "warning", "Another problem that the owner should know about.",
                    [
                        "code": .text("Stable code of the problem."),
                        "message": .text("Human-readable description."),
                    ]),
            ])
    ]

    private static let tracks: JSONSchema = [
        "tracks": .array(
            of: [
                "track_id": .identifier("Track ID.", example: 17),
                "relative_path": .text("Path relative to the music folder.", example: "Low/Was.mp3"),
                "previous_path": .text("The previous path, if the track was moved.").optional,
            ], "The tracks.")
    ]

    /// A message identified by its `type`.
    private static func message(
        _ type: String, _ summary: String, _ properties: JSONSchema = [:]
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: type, sender: .host, summary: summary,
            payload: [
                "id": .text("The cursor after this event, for `since`; opaque."),
                "at": .number("Time of the event, in seconds since 1970 (UTC).", minimum: 0),
                "type": .oneOf([type]),
            ] + properties)
    }
}
