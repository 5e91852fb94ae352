internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension RescanRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.rescan, id: "rescan", summary: "Start a Navidrome scan",
            details: """
                The host does so by itself a few seconds after the last change. `GET /health` reports the result.
                """, tag: "Host", access: .key, role: .owner, status: .accepted,
            answer: "The scan has been requested.",
            contents: [.json(.named("NavidromeState"))], errors: [.noNavidrome])
    ]
}

extension OpenAPIError {
    static let noNavidrome = OpenAPIError(
        status: .conflict, code: "no_navidrome", meaning: "No Navidrome server is configured.")
}
