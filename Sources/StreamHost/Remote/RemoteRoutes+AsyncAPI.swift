internal import APIDescription
internal import MusicShared

extension RemoteRoutes {
    static let channels = [
        AsyncAPIChannel(
            name: "remote", path: Routes.remoteChannel, title: "Remote channel",
            details: """
                Clients report what they do, and the host sends events. Both start with a handshake, the client first: if \
                their versions differ, the host sends an `error` and closes with \(RemoteCloseCode.versionMismatch). It \
                closes with \(RemoteCloseCode.handshakeExpected) if the first message is not a handshake or is late, with \
                1003 for binary messages, 1007 for text that is not JSON, 1008 for a client that reads too slowly, 1009 for \
                a message that is too large, and \(AccessCloseCode.keyReplaced) if the API key was replaced. A command that \
                is unknown or lacks a value is answered with an `error` and the channel stays open, because newer clients \
                may have more commands. Clients ignore unknown events. Clients that use the form that Swift derives for such \
                types (`{"play":{"trackId":17,"queueIds":[16,17]}}`, and a handshake with `protocolVersion` and \
                `appVersion`) are supported too, and get responses in that form \
                (`{"playbackState":{"_0":{"trackId":17,…}}}`).
                """,
            messages: [
                handshake("clientHandshake", .client, "The first message of a client.", [:]),
                handshake(
                    "hostHandshake", .host, "The host's response.",
                    [
                        "tunnel_url": .text(
                            "The host's public URL.",
                            example: "https://music.example.com"
                        ).optional
                    ]),
            ] + commands + events)
    ]

    private static let commands = [
        message(
            "play", .client, "The client plays a track from a queue.",
            [
                "track_id": identifier("Track ID."),
                "queue_ids": .array(
                    of: identifier("Track ID."), "The tracks of the queue in order.",
                    maximumCount: ClientPlayback.longestQueue),
            ]),
        message("pause", .client, "Playback was paused."),
        message("resume", .client, "Playback was resumed."),
        message("next", .client, "The client skipped to the next track."),
        message("previous", .client, "The client went back to the previous track."),
        message(
            "seek", .client,
            "The client seeked within the track. A position beyond its end is answered with an `error`.",
            ["position_seconds": .seconds("New position")]),
        message(
            "set_volume", .client, "The client changed its volume.", ["level": .share("The volume")]),
        message("toggle_shuffle", .client, "The client turned shuffle on or off."),
        message("refresh_db", .client, "Requests the current library; answered with `db_ready`."),
    ]

    private static let events = [
        message("db_ready", .host, "The library has changed or was requested: download it with `GET /db`."),
        message(
            "error", .host,
            "An error on the host, or an unknown or invalid command.",
            ["message": .text("Human-readable description.")]),
        message(
            "playback_state", .host,
            "The client's playback state as derived by the host, after each of its commands.",
            .named("PlaybackState")),
        message(
            "tunnel", .host, "The host's public URL has changed.",
            ["url": .text("The URL; omitted while the host has no public URL.").optional]),
        message(
            "jukebox_changed", .host,
            "The jukebox plays something else, or differently: get its state with `GET /jukebox`."),
    ]

    private static func identifier(_ meaning: String) -> JSONSchema { .identifier(meaning, example: 17) }

    private static func handshake(
        _ name: String, _ sender: AsyncAPIChannel.Sender, _ summary: String,
        _ properties: JSONSchema
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: name, sender: sender, summary: summary,
            payload: [
                "protocol_version": .integer("The sender's protocol version.", minimum: 1),
                "app_version": .text("Name and version of its program.", example: "Music 2.1"),
            ] + properties)
    }

    /// Returns a message whose only key is its name.
    private static func message(
        _ name: String, _ sender: AsyncAPIChannel.Sender, _ summary: String, _ values: JSONSchema = [:]
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: name, sender: sender, summary: summary, payload: [name: values])
    }
}
