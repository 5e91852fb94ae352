package import HTTPServer
internal import MusicShared

/// Serves the API description. It contains no secrets, so it requires no key: tools read it before they have
/// one.
package struct OpenAPIRoutes: DescribedRoutes {
    package static let tag = "Host"

    private let document: ConstantJSON

    /// Describes the given groups of routes, and itself.
    package init(describing groups: [any DescribedRoutes.Type]) throws {
        document = ConstantJSON(try OpenAPIDocument(groups + [Self.self]).json(), name: "api")
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.openAPI, execution: .inline) { _ in document.response }
    }

    package static let operations = [
        operation(
            .get, Routes.openAPI, "describe", "Get this API description", access: .open,
            answer: .json(JSONSchema(kind: .anything), "This description.").tagged)
    ]
}
