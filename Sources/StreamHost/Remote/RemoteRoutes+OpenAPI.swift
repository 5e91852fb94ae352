internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension RemoteRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.remoteChannel, id: "remoteChannel",
            summary: "Open the remote WebSocket: commands and events",
            details: """
                Both sides begin with `{"protocol_version":…,"app_version":"…"}`. Then the client reports what it does \
                (`{"play":{"track_id":17,"queue_ids":[16,17,18]}}`, `pause`, `resume`, `next`, `previous`, `seek`, \
                `set_volume`, `toggle_shuffle`, `refresh_db`), and the host sends events (`db_ready`, `error`, \
                `playback_state`, `tunnel`). `\(Routes.asyncAPI)` describes all messages.
                """, tag: "Remote", access: .key, status: .switchingProtocols,
            answer: "The WebSocket is open.",
            errors: [
                OpenAPIError(
                    status: .badRequest, code: "websocket_key",
                    meaning: "The key of the WebSocket's handshake is malformed."),
                OpenAPIError(
                    status: .upgradeRequired, code: "websocket_required",
                    meaning: "The route only supports WebSocket version 13."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.clients, id: "clients",
            summary: "List the clients on the remote channel",
            details: "Owners get all clients, others those of their account.",
            tag: "Remote", access: .key, answer: "The clients, the longest connected first.",
            contents: [.json(.named("ClientList"))]),
    ]

    static let schemas: [String: JSONSchema] = [
        "ClientList": .object([.always("clients", .array(of: .named("ClientReport")))]),
        "ClientReport": .object([
            .always(
                "id", .integer("ID, unique since the host started.", minimum: 1)),
            .always("app_version", .text("Name and version of the client program.")),
            .always("address", .text("The client's address.")),
            .always("connected_seconds", .seconds("Duration of the connection")),
            .always("playback", .named("PlaybackState")),
        ]),
        "PlaybackState": .object([
            .maybe("track_id", .identifier("Track ID; omitted if unknown.")),
            .always("position_seconds", .seconds("Position in the track")),
            .always("is_playing", .flag("Whether it is playing.")),
            .maybe("volume", .share("Volume (omitted until the client reports it)")),
            .always("is_shuffled", .flag("Whether the queue is shuffled.")),
        ]),
    ]
}
