internal import MusicShared

extension RemoteRoutes {
    static let channels = [
        AsyncAPIChannel(
            name: "remote", path: Routes.remoteChannel, title: "Remote channel",
            details: """
                Clients tell what they do, the host tells what has happened. Both begin with a handshake, the client first: where \
                their versions differ, the host says so in an `error` and closes with \(RemoteCloseCode.versionMismatch). It closes \
                with \(RemoteCloseCode.handshakeExpected) where no handshake comes first or in time, with 1003 for what is no text, \
                1007 for what is no JSON, 1008 for what is no command or for a client that reads too slowly, 1009 for a message \
                that is too large. Clients pass over events that they do not know.
                """,
            messages: [
                handshake("clientHandshake", .client, "The first message of a client.", []),
                handshake(
                    "hostHandshake", .host, "The host's answer to it.",
                    [
                        .maybe(
                            "tunnelUrl",
                            .text(
                                "The host's address outside of its network.",
                                example: "https://music.example.com"))
                    ]),
            ] + commands + events)
    ]

    private static let commands = [
        message(
            "play", .client, "The client plays a track, and what before and after it.",
            [
                .always("trackId", identifier("The track.")),
                .always(
                    "queueIds",
                    .array(
                        of: identifier("A track."), "The tracks that it plays in turn.",
                        maximumCount: ClientPlayback.longestQueue)),
            ]),
        message("pause", .client, "It paused."),
        message("resume", .client, "It goes on."),
        message("next", .client, "It went to the queue's next track."),
        message("previous", .client, "It went to the track before."),
        message(
            "seek", .client, "It went to a place in the track.",
            [.always("position", .seconds("Where to"))]),
        message("setVolume", .client, "Its volume.", [.always("level", .share("The volume"))]),
        message("toggleShuffle", .client, "It turned shuffled play on or off."),
        message("refreshDB", .client, "It asks for the library as it is now; `dbReady` answers."),
    ]

    private static let events = [
        message("dbReady", .host, "The library has changed, or was asked for: `GET /db` has it."),
        message(
            "error", .host, "Something went wrong on the host's side, or a command cannot be.",
            [.always("message", .text("What it is, for people."))]),
        message(
            "playbackState", .host, "What the host takes the client to be doing, after each of its commands.",
            [.always("_0", .named("PlaybackState"))]),
        message(
            "tunnel", .host, "The host's address outside of its network is another one.",
            [.maybe("url", .text("The address; left out where there is none for now."))]),
    ]

    private static func identifier(_ meaning: String) -> JSONSchema { .identifier(meaning, example: 17) }

    private static func handshake(
        _ name: String, _ sender: AsyncAPIChannel.Sender, _ summary: String,
        _ properties: [JSONSchema.Property]
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: name, sender: sender, summary: summary,
            payload: .object(
                [
                    .always(
                        "protocolVersion",
                        .integer("Version of the protocol that the sender speaks.", minimum: 1)),
                    .always("appVersion", .text("Name and version of its program.", example: "Music 2.1")),
                ] + properties))
    }

    /// A message whose only key names it: the form that Swift derives for a case of an enumeration.
    private static func message(
        _ name: String, _ sender: AsyncAPIChannel.Sender, _ summary: String,
        _ properties: [JSONSchema.Property] = []
    ) -> AsyncAPIChannel.Message {
        AsyncAPIChannel.Message(
            name: name, sender: sender, summary: summary,
            payload: .object([.always(name, .object(properties))]))
    }
}
