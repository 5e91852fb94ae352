internal import HTTPServer
internal import MusicShared

/// The description of the WebSockets. It tells no secret, so that it needs no key.
struct AsyncAPIRoutes: DescribedRoutes {
    private let json: [UInt8]
    private let tag: EntityTag

    /// Describes the WebSockets of groups of routes.
    init(describing groups: [any DescribedRoutes.Type]) throws {
        json = try AsyncAPIDocument(groups).json()
        tag = EntityTag("channels-\(json.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })")
    }

    func add(to routes: some RouteCollection) {
        routes.get(Routes.asyncAPI, execution: .inline) { _ in
            var response = HTTPResponse.json(json)
            response.fields[.cacheControl] = "no-cache"
            response.fields[.entityTag] = tag.description
            return response
        }
    }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.asyncAPI, id: "describeChannels", summary: "Describes the WebSockets",
            details: "In AsyncAPI's form (3.0): every message in both directions.", tag: "Host",
            access: .open,
            answer: "The description.", contents: [.json(JSONSchema(kind: .anything))], hasEntityTag: true)
    ]
}
