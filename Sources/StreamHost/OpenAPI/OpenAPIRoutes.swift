internal import HTTPServer
internal import MusicShared

/// The description of the API. It tells no secret, so that it needs no key: tools read it before they have one.
struct OpenAPIRoutes: DescribedRoutes {
    private let document: ConstantJSON

    /// Describes groups of routes, and itself.
    init(describing groups: [any DescribedRoutes.Type]) throws {
        document = ConstantJSON(try OpenAPIDocument(groups + [Self.self]).json(), name: "api")
    }

    func add(to routes: some RouteCollection) {
        routes.get(Routes.openAPI, execution: .inline) { _ in document.response }
    }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.openAPI, id: "describe", summary: "Describes this API",
            tag: "Host", access: .open, answer: "This description.",
            contents: [.json(JSONSchema(kind: .anything))], hasEntityTag: true)
    ]
}
