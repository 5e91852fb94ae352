internal import MusicShared

extension PushRoutes {
    static let channels = [
        AsyncAPIChannel(
            name: "push", path: Routes.push, title: "Channel of events",
            details: """
                The host tells what happens; clients have nothing to say. A client that was away names the last `id` that it \
                has in `since`. One that does not read is closed with \(PushCloseCode.tooSlow), and may come back with its \
                cursor. Types that a client does not know are to be left out.
                """,
            query: .object([.maybe("since", .text("The `id` of the last message that the client has."))]),
            messages: [
                message(
                    "welcome", "The first message of a connection.",
                    [.always("is_resumed", .flag("What has happened since the client's cursor follows."))]),
                message(
                    "resync",
                    "What has happened since the client's cursor is not known: fetch everything anew.",
                    [.always("reason", .oneOf(PushResyncReason.allCases.map(\.rawValue)))]),
                message("tracks_added", "Tracks that are new, or there again.", [tracks]),
                message("tracks_changed", "Tracks whose tags, audio or path have changed.", [tracks]),
                message("tracks_removed", "Tracks whose file is gone.", [tracks]),
                message("profiles_ready", "Profiles that can be had now.", [tracks]),
                message("frames_ready", "Visualizer frames that can be had now.", [tracks]),
                message("analysis_failed", "A file that could not be analysed.", failure),
                message("job_progress", "How far a job has come.", [.always("job", .named("Job"))]),
                message(
                    "library_changed", "The library database is another one: `GET /db` has it.",
                    [.always("revision", .text("Names its state."))]),
                message("listening_changed", "Stars, ratings or plays have changed."),
                message(
                    "warning", "Something else went wrong that the owner may want to know.",
                    [
                        .always("code", .text("The stable name of its kind.")),
                        .always("message", .text("What it is, for people.")),
                    ]),
            ])
    ]

    private static let failure: [JSONSchema.Property] = [
        .always("relative_path", .text("Path in the music folder.")),
        .always("code", .text("The stable name of the reason's kind.")),
        .always("message", .text("The reason, for people.")),
    ]

    private static let tracks = JSONSchema.Property.always(
        "tracks",
        .array(
            of: .object([
                .always("track_id", .identifier("Number of the track.", example: 17)),
                .always("relative_path", .text("Path in the music folder.", example: "Low/Was.mp3")),
                .maybe("previous_path", .text("Where it was before, if it has moved.")),
            ]), "The tracks."))

    /// A message whose `type` names it.
    private static func message(
        _ type: String, _ summary: String, _ properties: [JSONSchema.Property] = []
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: type, sender: .host, summary: summary,
            payload: .object(
                [
                    .always("id", .text("The cursor after this event, for `since`; to be kept as it is.")),
                    .always("at", .number("When it happened, in seconds since 1970 (UTC).", minimum: 0)),
                    .always("type", .oneOf([type])),
                ] + properties))
    }
}
