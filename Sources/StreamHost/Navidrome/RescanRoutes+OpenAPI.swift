internal import HTTPServer
internal import MusicShared

extension RescanRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.rescan, id: "rescan", summary: "Has Navidrome look for changes",
            details: """
                The host does so by itself, some seconds after the last change. `GET /health` tells what came of it.
                """, tag: "Host", access: .key, status: .accepted, answer: "Navidrome is about to be asked.",
            contents: [.json(.named("NavidromeState"))], errors: [.noNavidrome])
    ]
}

extension OpenAPIError {
    static let noNavidrome = OpenAPIError(
        status: .conflict, code: "no_navidrome", meaning: "The host was not told where Navidrome is.")
}
