internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension PushRoutes {
    static let tag = "Companion"

    static let since = QueryParameter<String?>("since", "The `id` of the last message that the client has.")

    static let operations = [
        operation(
            .get, Routes.push, "push",
            "Open the event WebSocket: progress, library changes, new profiles and frames",
            details: """
                Each text message is an object with `id`, the cursor after this event; `at`, the time in seconds since 1970; \
                `type`, and further fields by type. `welcome` comes first (`is_resumed`). Then `tracks_added`, \
                `tracks_changed`, `tracks_removed`, `profiles_ready`, `frames_ready` (`tracks`: `track_id`, `relative_path`, \
                `previous_path` of a moved track), `analysis_failed` (`relative_path`, `code`, `message`), `job_progress` \
                (`job`), `library_changed` (`revision`: `/db` has changed, and `GET /api/changes` accepts the revision as \
                `since`), `listening_changed`, `warning` (`code`, `message`). Clients must ignore unknown types.

                A client that was offline passes the last `id` that it has, and gets the events since then. If those are no \
                longer available, `resync` (`reason`: `unknown_cursor`, `too_old`) tells it to fetch everything again. A \
                client that does not read is closed with \(PushCloseCode.tooSlow), and may reconnect with its cursor.
                """,
            parameters: [since],
            answer: OpenAPIResponse(status: .switchingProtocols, meaning: "The WebSocket is open."),
            errors: APIError.ofWebSocket)
    ]
}
