package import HTTPServer
internal import MusicShared

/// Serves the description of the WebSockets. It contains no secrets, so it requires no key.
package struct AsyncAPIRoutes: DescribedRoutes {
    package static let tag = "Host"

    private let document: ConstantJSON

    /// Describes the channels of the given groups of routes.
    package init(describing groups: [any DescribedRoutes.Type]) throws {
        document = ConstantJSON(try AsyncAPIDocument(groups).json(), name: "channels")
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.asyncAPI, execution: .inline) { _ in document.response }
    }

    package static let operations = [
        operation(
            .get, Routes.asyncAPI, "describeChannels", "Get the WebSocket description",
            details: "As AsyncAPI 3.0: every message in both directions.", access: .open,
            answer: .json(JSONSchema(kind: .anything), "The description.").tagged)
    ]
}
