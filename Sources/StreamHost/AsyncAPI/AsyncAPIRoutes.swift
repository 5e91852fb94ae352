internal import HTTPServer
internal import MusicShared

/// The description of the WebSockets. It tells no secret, so that it needs no key.
struct AsyncAPIRoutes: DescribedRoutes {
    private let document: ConstantJSON

    /// Describes the WebSockets of groups of routes.
    init(describing groups: [any DescribedRoutes.Type]) throws {
        document = ConstantJSON(try AsyncAPIDocument(groups).json(), name: "channels")
    }

    func add(to routes: some RouteCollection) {
        routes.get(Routes.asyncAPI, execution: .inline) { _ in document.response }
    }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.asyncAPI, id: "describeChannels", summary: "Describes the WebSockets",
            details: "In AsyncAPI's form (3.0): every message in both directions.", tag: "Host",
            access: .open,
            answer: "The description.", contents: [.json(JSONSchema(kind: .anything))], hasEntityTag: true)
    ]
}
