internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension RescanRoutes {
    static let tag = "Host"

    static let operations = [
        operation(
            .post, Routes.rescan, "rescan", "Start a Navidrome scan",
            details: """
                The host does so by itself a few seconds after the last change. `GET /health` reports the result.
                """, role: .owner,
            answer: .json("NavidromeState", "The scan has been requested.").accepted, errors: [.noNavidrome])
    ]
}

extension APIError {
}
