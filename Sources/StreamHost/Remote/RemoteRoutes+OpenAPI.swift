internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension RemoteRoutes {
    static let tag = "Remote"

    static let operations = [
        operation(
            .get, Routes.remoteChannel, "remoteChannel", "Open the remote WebSocket: commands and events",
            details: """
                Both sides begin with `{"protocol_version":…,"app_version":"…"}`. Then the client reports what it does \
                (`{"play":{"track_id":17,"queue_ids":[16,17,18]}}`, `pause`, `resume`, `next`, `previous`, `seek`, \
                `set_volume`, `toggle_shuffle`, `refresh_db`), and the host sends events (`db_ready`, `error`, \
                `playback_state`, `tunnel`, `jukebox_changed`). `\(Routes.asyncAPI)` describes all messages.
                """,
            answer: OpenAPIResponse(status: .switchingProtocols, meaning: "The WebSocket is open."),
            errors: APIError.ofWebSocket),
        operation(
            .get, Routes.clients, "clients", "List the clients on the remote channel",
            details: """
                Owners get all clients, others those of their account. The jukebox comes first for callers who may control it.
                """,
            answer: .json("ClientList", "The clients, the longest connected first.")),
    ]

    static let schemas: [String: JSONSchema] = [
        "ClientList": ["clients": .array(of: .named("ClientReport"))],
        "ClientReport": [
            "id": .integer("ID, unique since the host started; 0 for the jukebox.", minimum: 0),
            "app_version": .text("Name and version of the client program."),
            "address": .text("The client's address."),
            "connected_seconds": .seconds("Duration of the connection"),
            "playback": .named("PlaybackState"),
        ],
        "PlaybackState": [
            "track_id": .identifier("Track ID; omitted if unknown.").optional,
            "position_seconds": .seconds("Position in the track"),
            "is_playing": .flag("Whether it is playing."),
            "volume": .share("Volume (omitted until the client reports it)").optional,
            "is_shuffled": .flag("Whether the queue is shuffled."),
        ],
    ]
}
