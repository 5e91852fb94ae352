package import APIDescription
internal import HTTPServer
internal import MusicShared
internal import Scrobbling

extension ScrobblingRoutes {
    package static let tag = "Account"
    private static let failures = [APIError.accessRefused, .serviceFailed]

    private static func address(_ standard: String) -> JSONSchema {
        .text("Address of the service's API; `\(standard)` by default.", example: standard)
    }

    package static let operations = [
        operation(
            .get, Routes.scrobbling, "scrobbling", "Get the state of forwarding to ListenBrainz and Last.fm",
            answer: .json("Scrobbling", "The state.")),
        operation(
            .put, Routes.listenBrainz, "connectListenBrainz", "Forward plays to ListenBrainz",
            details: """
                Also connects to other servers with its API. The token is checked, stored encrypted and never returned. Plays \
                that wait from an earlier connection are sent.
                """,
            body: [
                "token": .text("The user's token."),
                "address": address(ListenBrainz.standardAddress).orNull.optional,
            ], answer: .json("ScrobblingService", "The state."), errors: failures),
        operation(
            .delete, Routes.listenBrainz, "disconnectListenBrainz", "Stop forwarding plays to ListenBrainz",
            details: "Deletes the token and the plays that wait.",
            answer: .done("Nothing is forwarded any more.")),
        operation(
            .put, Routes.lastFM, "connectLastFM", "Request access to Last.fm",
            details: """
                The answer contains an `authorization_url`: the user allows the access there, and then `POST \
                \(Routes.lastFMSession)` completes the connection. Also connects to other servers with the same API. Key and \
                secret are stored encrypted and never returned.
                """,
            body: [
                "api_key": .text("API key of an application, from https://www.last.fm/api/account/create."),
                "shared_secret": .text("The application's shared secret."),
                "address": address(LastFM.standardAddress).orNull.optional,
                "authorization_page": .text(
                    "Page where users allow the access; `\(LastFM.standardPage)` by default.",
                    example: LastFM.standardPage
                ).orNull.optional,
            ], answer: .json("ScrobblingService", "The state, with `authorization_url`."), errors: failures),
        operation(
            .post, Routes.lastFMSession, "completeLastFM", "Complete the connection to Last.fm",
            answer: .json("ScrobblingService", "The state."),
            errors: failures + [.notAuthorizing, .notAuthorized]),
        operation(
            .delete, Routes.lastFM, "disconnectLastFM", "Stop forwarding plays to Last.fm",
            details: "Deletes key, secret and session, and the plays that wait.",
            answer: .done("Nothing is forwarded any more.")),
    ]

    package static let schemas: [String: JSONSchema] = [
        "Scrobbling": [
            "listenbrainz": .named("ScrobblingService"),
            "lastfm": .named("ScrobblingService"),
        ],
        "ScrobblingService": [
            "state": .oneOf(
                ScrobblingReport.Service.State.allCases.map(\.rawValue),
                "`authorizing`: waits for the user's permission. `refused`: the service does not accept the access any "
                    + "more; plays are kept until it is connected again."),
            "address": .text("Address of the service's API."),
            "user": .text("Name of the user at the service.").optional,
            "waiting_count": .integer("Number of plays that wait to be sent."),
            "sent_count": .integer("Number of plays sent since the service was connected."),
            "rejected_count": .integer("Number of plays that the service did not accept."),
            "last_sent_at": .time("Time when plays were last sent").optional,
            "next_attempt_at": .time("Time of the next attempt after an error").optional,
            "error": .text("The last error, until plays are sent again.").optional,
            "authorization_url": .text("Page where the user allows the access.").optional,
        ],
    ]
}
