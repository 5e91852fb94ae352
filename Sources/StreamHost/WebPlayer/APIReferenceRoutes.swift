internal import APIDescription
internal import HTTPServer

/// The page of the API reference. It needs no key: it is made from the description, which is open too. Requests that it
/// sends need the key that is entered in it.
struct APIReferenceRoutes: Sendable {
    /// The path of the page.
    static let path = "/docs"

    /// The source of the page.
    let reference: APIReference
    private let page: [UInt8]
    private let tag: EntityTag

    /// - Parameter groups: all groups of routes, that of the description included.
    init(describing groups: [any DescribedRoutes.Type]) {
        reference = APIReference(OpenAPIDocument(groups))
        page = Array(reference.html.utf8)
        tag = EntityTag("reference", ofContent: page)
    }

    func add(to routes: some RouteCollection) { routes.get(Self.path) { _ in response } }

    private var response: HTTPResponse {
        var response = HTTPResponse(
            fields: [
                .contentType: "text/html; charset=utf-8", .entityTag: tag.description,
                .cacheControl: "no-cache",
                .xContentTypeOptions: "nosniff",
            ], body: .bytes(page), allowsRanges: false)
        for (name, value) in WebPlayerRoutes.protection {
            if let name = HTTPFieldName(name) { response.fields[name] = value }
        }
        return response
    }
}
