package import APIDescription
internal import HTTPServer
internal import MusicShared
internal import Scrobbling

extension ScrobblingRoutes {
    private static let tag = "Account"
    private static let failures = [
        OpenAPIError(
            status: .unprocessableContent, code: "access_refused",
            meaning: "The service does not accept the token, key or secret."),
        OpenAPIError(
            status: .badGateway, code: "service_failed",
            meaning: "The service cannot be reached, or does not answer as expected."),
    ]

    private static func address(_ standard: String) -> JSONSchema {
        .text("Address of the service's API; `\(standard)` by default.", example: standard)
    }

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.scrobbling, id: "scrobbling",
            summary: "Get the state of forwarding to ListenBrainz and Last.fm", tag: tag, access: .key,
            answer: "The state.", contents: [.json(.named("Scrobbling"))], errors: [.unknownParameter]),
        OpenAPIOperation(
            method: .put, path: Routes.listenBrainz, id: "connectListenBrainz",
            summary: "Forward plays to ListenBrainz",
            details: """
                Also connects to other servers with its API. The token is checked, stored encrypted and never returned. Plays \
                that wait from an earlier connection are sent.
                """, tag: tag, access: .key,
            body: .object([
                .always("token", .text("The user's token.")),
                .maybe("address", address(ListenBrainz.standardAddress).orNull),
            ]), answer: "The state.", contents: [.json(.named("ScrobblingService"))], errors: failures),
        OpenAPIOperation(
            method: .delete, path: Routes.listenBrainz, id: "disconnectListenBrainz",
            summary: "Stop forwarding plays to ListenBrainz",
            details: "Deletes the token and the plays that wait.", tag: tag, access: .key,
            status: .noContent, answer: "Nothing is forwarded any more."),
        OpenAPIOperation(
            method: .put, path: Routes.lastFM, id: "connectLastFM",
            summary: "Request access to Last.fm",
            details: """
                The answer contains an `authorization_url`: the user allows the access there, and then `POST \
                \(Routes.lastFMSession)` completes the connection. Also connects to other servers with the same API. Key and \
                secret are stored encrypted and never returned.
                """, tag: tag, access: .key,
            body: .object([
                .always(
                    "api_key",
                    .text("API key of an application, from https://www.last.fm/api/account/create.")),
                .always("shared_secret", .text("The application's shared secret.")),
                .maybe("address", address(LastFM.standardAddress).orNull),
                .maybe(
                    "authorization_page",
                    .text(
                        "Page where users allow the access; `\(LastFM.standardPage)` by default.",
                        example: LastFM.standardPage
                    ).orNull),
            ]), answer: "The state, with `authorization_url`.",
            contents: [.json(.named("ScrobblingService"))], errors: failures),
        OpenAPIOperation(
            method: .post, path: Routes.lastFMSession, id: "completeLastFM",
            summary: "Complete the connection to Last.fm", tag: tag, access: .key, answer: "The state.",
            contents: [.json(.named("ScrobblingService"))],
            errors: failures + [
                OpenAPIError(
                    status: .conflict, code: "not_authorizing", meaning: "No access has been requested."),
                OpenAPIError(
                    status: .conflict, code: "not_authorized",
                    meaning: "The user has not allowed the access yet."),
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.lastFM, id: "disconnectLastFM",
            summary: "Stop forwarding plays to Last.fm",
            details: "Deletes key, secret and session, and the plays that wait.", tag: tag, access: .key,
            status: .noContent, answer: "Nothing is forwarded any more."),
    ]

    package static let schemas = [
        "Scrobbling": JSONSchema.object([
            .always("listenbrainz", .named("ScrobblingService")),
            .always("lastfm", .named("ScrobblingService")),
        ]),
        "ScrobblingService": .object([
            .always(
                "state",
                .oneOf(
                    ScrobblingReport.Service.State.allCases.map(\.rawValue),
                    "`authorizing`: waits for the user's permission. `refused`: the service does not accept the access any "
                        + "more; plays are kept until it is connected again.")),
            .always("address", .text("Address of the service's API.")),
            .maybe("user", .text("Name of the user at the service.")),
            .always("waiting_count", .integer("Number of plays that wait to be sent.")),
            .always("sent_count", .integer("Number of plays sent since the service was connected.")),
            .always("rejected_count", .integer("Number of plays that the service did not accept.")),
            .maybe("last_sent_at", .time("Time when plays were last sent")),
            .maybe("next_attempt_at", .time("Time of the next attempt after an error")),
            .maybe("error", .text("The last error, until plays are sent again.")),
            .maybe("authorization_url", .text("Page where the user allows the access.")),
        ]),
    ]
}
