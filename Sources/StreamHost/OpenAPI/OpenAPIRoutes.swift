internal import HTTPServer
internal import MusicShared

/// The description of the API. It tells no secret, so that it needs no key: tools read it before they have one.
struct OpenAPIRoutes: DescribedRoutes {
    private let json: [UInt8]
    private let tag: EntityTag

    /// Describes groups of routes, and itself.
    init(describing groups: [any DescribedRoutes.Type]) throws {
        json = try OpenAPIDocument(groups + [Self.self]).json()
        tag = EntityTag("api-\(json.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })")
    }

    func add(to routes: some RouteCollection) {
        routes.get(Routes.openAPI, execution: .inline) { _ in
            var response = HTTPResponse.json(json)
            response.fields[.cacheControl] = "no-cache"
            response.fields[.entityTag] = tag.description
            return response
        }
    }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.openAPI, id: "describe", summary: "Describes this API",
            tag: "Host", access: .open, answer: "This description.",
            contents: [.json(JSONSchema(kind: .anything))], hasEntityTag: true)
    ]
}
