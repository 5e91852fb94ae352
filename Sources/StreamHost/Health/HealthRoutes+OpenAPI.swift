internal import HTTPServer
internal import MusicShared

extension HealthRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.health, id: "health", summary: "Tells whether the host is up",
            tag: "Host", access: .open, answer: "It is.",
            contents: [.json(.object([.always("status", .oneOf(["ok"]))]))])
    ]
}
