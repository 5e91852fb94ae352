package import HTTPServer
package import MusicShared

/// Routes with descriptions. The host only accepts these, so its API description covers all routes; tests
/// check that routes and descriptions match.
package protocol DescribedRoutes: Sendable {
    /// The group that the operations are listed in.
    static var tag: String { get }
    /// One description for each route that ``add(to:)`` adds.
    static var operations: [OpenAPIOperation] { get }
    /// The schemas that the operations refer to by name.
    static var schemas: [String: JSONSchema] { get }
    /// Descriptions of the WebSockets.
    static var channels: [AsyncAPIChannel] { get }

    func add(to routes: some RouteCollection)
}

extension DescribedRoutes {
    package static var schemas: [String: JSONSchema] { [:] }
    package static var channels: [AsyncAPIChannel] { [] }
}

extension DescribedRoutes {
    /// Describes a route of the group.
    ///
    /// Some things follow from others, and are added: the ID of the object that the path refers to and the error if there is
    /// none; errors of parameters, bodies and access; conditional requests and ranges of responses that support them.
    /// - Parameters:
    ///   - path: The route's pattern.
    ///   - id: Name of the call in generated clients.
    ///   - tag: The group that it is listed in; that of the routes by default.
    ///   - role: The role that the caller's account needs.
    ///   - body: The schema of the JSON request body.
    ///   - bodyContents: Other accepted request bodies.
    ///   - answer: The successful response.
    ///   - otherAnswers: Non-error responses with other statuses.
    ///   - errors: The other errors.
    package static func operation(
        _ method: HTTPMethod, _ path: String, _ id: String, _ summary: String, details: String? = nil,
        tag: String? = nil, access: OpenAPIOperation.Access = .key, role: AccountRole = .listener,
        parameters: [any OperationParameter] = [], body: JSONSchema? = nil,
        bodyContents: [OpenAPIResponse.Content] = [], isBodyRequired: Bool = true, answer: OpenAPIResponse,
        otherAnswers: [OpenAPIResponse] = [], errors: [APIError] = []
    ) -> OpenAPIOperation {
        OpenAPIOperation(
            method: method, path: path, id: id, summary: summary, details: details, tag: tag ?? Self.tag,
            access: access, role: role, parameters: parameters.map(\.described), body: body,
            bodyContents: bodyContents, isBodyRequired: isBodyRequired, answer: answer,
            otherAnswers: otherAnswers, errors: errors)
    }
}
