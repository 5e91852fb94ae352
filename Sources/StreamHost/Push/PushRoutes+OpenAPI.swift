internal import HTTPServer
internal import MusicShared

extension PushRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.push, id: "push",
            summary:
                "What happens, over a WebSocket: progress, changes of the library, new profiles and frames",
            details: """
                The host sends text, an object each: `id`, the cursor after this event; `at`, when it was, in seconds since \
                1970; `type`, and what belongs to it. `welcome` comes first (`is_resumed`). Then `tracks_added`, \
                `tracks_changed`, `tracks_removed`, `profiles_ready`, `frames_ready` (`tracks`: `track_id`, `relative_path`, \
                `previous_path` of a track that has moved), `analysis_failed` (`relative_path`, `code`, `message`), \
                `job_progress` (`job`), `library_changed` (`revision`: `/db` has another state), `listening_changed`, `warning` (`code`, \
                `message`). Types that a client does not know are to be left out.

                A client that was away names the last `id` that it has: what has happened since follows. Where that is not \
                known any more, `resync` (`reason`: `unknown_cursor`, `too_old`) tells it to fetch everything anew. A client \
                that does not read is closed with \(PushCloseCode.tooSlow), and may come back with its cursor.
                """, tag: "Companion", access: .key,
            parameters: [
                .query("since", "The `id` of the last message that the client has.", .text())
            ], status: .switchingProtocols, answer: "The WebSocket is open.",
            errors: [
                OpenAPIError(
                    status: .badRequest, code: "websocket_key",
                    meaning: "The key of the WebSocket's handshake is malformed."),
                OpenAPIError(
                    status: .upgradeRequired, code: "websocket_required",
                    meaning: "The path speaks WebSocket of version 13 only."),
            ])
    ]
}
