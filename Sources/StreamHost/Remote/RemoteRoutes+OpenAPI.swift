internal import HTTPServer
internal import MusicShared

extension RemoteRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.remoteChannel, id: "remoteChannel",
            summary: "The remote channel: commands and events over a WebSocket",
            details: """
                Both sides begin with `{"protocolVersion":…,"appVersion":"…"}`. Then the client tells what it does \
                (`{"play":{"trackId":17,"queueIds":[16,17,18]}}`, `pause`, `resume`, `next`, `previous`, `seek`, `setVolume`, \
                `toggleShuffle`, `refreshDB`), and the host what has happened (`dbReady`, `error`, `playbackState`, `tunnel`). \
                `\(Routes.asyncAPI)` describes all of them.
                """, tag: "Remote", access: .key, status: .switchingProtocols,
            answer: "The WebSocket is open.",
            errors: [
                OpenAPIError(
                    status: .badRequest, code: "websocket_key",
                    meaning: "The key of the WebSocket's handshake is malformed."),
                OpenAPIError(
                    status: .upgradeRequired, code: "websocket_required",
                    meaning: "The path speaks WebSocket of version 13 only."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.clients, id: "clients", summary: "Who is on the remote channel",
            tag: "Remote", access: .key, answer: "The clients, the longest connected first.",
            contents: [.json(.named("ClientList"))]),
    ]

    static let schemas: [String: JSONSchema] = [
        "ClientList": .object([.always("clients", .array(of: .named("ClientReport")))]),
        "ClientReport": .object([
            .always(
                "id", .integer("Number that no other client has had since the host started.", minimum: 1)),
            .always("app_version", .text("Name and version of its program.")),
            .always("address", .text("Where it connects from.")),
            .always("connected_seconds", .seconds("For how long it has been connected.")),
            .always("playback", .named("PlaybackState")),
        ]),
        "PlaybackState": .object([
            .maybe("trackId", .identifier("The track; left out where none is known.")),
            .always("position", .seconds("Seconds into it.")),
            .always("isPlaying", .flag("Whether it plays on.")),
            .maybe("volume", .share("Volume; left out until the client has told it")),
            .always("isShuffled", .flag("Whether the queue is played in random order.")),
        ]),
    ]
}
