package import HTTPServer
package import MusicShared

/// Describes a route: its parameters, its responses and the access it requires.
///
/// Responses common to all routes are added automatically: access errors, 304 and 412 for content with an
/// ETag, 206 and 416 for content that supports ranges.
package struct OpenAPIOperation: Sendable {
    /// The access that a route requires.
    package enum Access: Sendable {
        /// No key required.
        case open
        /// The API key.
        case key
        /// The API key, or a token for the track, album or playlist in the path.
        case keyOrToken
    }

    package let method: HTTPMethod
    /// The route's pattern.
    package let path: String
    /// Name of the call in generated clients.
    package let id: String
    package let summary: String
    package let details: String?
    /// The group that the operation is listed in.
    package let tag: String
    package let access: Access
    /// The role that the caller's account needs.
    package let role: AccountRole
    /// The parameters, without the ID of the object that the path refers to.
    package let ownParameters: [OpenAPIParameter]
    /// The schema of the JSON request body.
    package let body: JSONSchema?
    /// Other accepted request bodies.
    package let bodyContents: [OpenAPIResponse.Content]
    /// Whether a body is required.
    package let isBodyRequired: Bool
    /// The successful response.
    package let answer: OpenAPIResponse
    /// Non-error responses with other statuses.
    package let otherAnswers: [OpenAPIResponse]
    /// Errors that the parameters, the body and the access do not imply.
    package let errors: [APIError]

    /// Describes a route. See ``DescribedRoutes/operation(_:_:_:_:details:tag:access:role:parameters:body:bodyContents:isBodyRequired:answer:otherAnswers:errors:)``.
    package init(
        method: HTTPMethod, path: String, id: String, summary: String, details: String?, tag: String,
        access: Access, role: AccountRole, parameters: [OpenAPIParameter], body: JSONSchema?,
        bodyContents: [OpenAPIResponse.Content], isBodyRequired: Bool, answer: OpenAPIResponse,
        otherAnswers: [OpenAPIResponse], errors: [APIError]
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.details = details
        self.tag = tag
        self.access = access
        self.role = role
        ownParameters = parameters
        self.body = body
        self.bodyContents = bodyContents
        self.isBodyRequired = isBodyRequired
        self.answer = answer
        self.otherAnswers = otherAnswers
        self.errors = errors
    }

    /// All parameters but the header fields of conditional and range requests.
    package var parameters: [OpenAPIParameter] {
        guard let kind = ResourceKind.named(inPath: path) else { return ownParameters }
        return [kind.identifier] + ownParameters
    }

    /// The route that this describes.
    package var route: RegisteredRoute { RegisteredRoute(method: method, path: path) }

    /// The path in OpenAPI syntax: `{id}` for `:id`.
    package var template: String {
        path.replacing(/:([A-Za-z0-9_]+)/) { "{\($0.output.1)}" }
    }

    private var allParameters: [OpenAPIParameter] {
        parameters + (answer.hasEntityTag && method == .get ? OpenAPIParameter.conditional : [])
            + (answer.allowsRanges ? OpenAPIParameter.ranges : [])
    }

    private var allErrors: [APIError] {
        // The operation's own descriptions take precedence over the common ones.
        var all = errors + [.unknownParameter, .noSpace, .databaseDamaged]
        if let kind = ResourceKind.named(inPath: path) { all.append(kind.error) }
        let query = ownParameters.filter { $0.place == .query }
        if !query.isEmpty { all.append(.invalidParameter) }
        if query.contains(where: \.isRequired) { all.append(.missingParameter) }
        if access != .open { all += APIError.ofAccess }
        if role > .listener { all.append(.roleRequired) }
        if path.contains(":") { all += [.notFound, .malformedPath] }
        if method == .get { all.append(.preconditionFailed) }
        if answer.allowsRanges { all.append(.rangeNotSatisfiable) }
        if body != nil { all += APIError.ofBody }
        let described = Set(otherAnswers.map(\.status))
        var known: Set<String> = []
        return all.filter {
            !described.contains($0.status) && known.insert("\($0.status.rawValue) \($0.code)").inserted
        }
    }

    private var responses: [OpenAPIResponse] {
        let tags: [OpenAPIResponse.Header] = answer.hasEntityTag ? [.entityTag] : []
        var all = [
            OpenAPIResponse(
                status: answer.status, meaning: answer.meaning, contents: answer.contents,
                headers: answer.headers + tags)
        ]
        all += otherAnswers
        if answer.allowsRanges {
            all.append(
                OpenAPIResponse(
                    status: .partialContent, meaning: "The requested range.", contents: answer.contents,
                    headers: [.contentRange] + tags))
        }
        if method == .get {
            all.append(
                OpenAPIResponse(
                    status: .notModified, meaning: "The client's copy is current.", headers: tags))
        }
        return all + OpenAPIResponse.errors(allErrors)
    }
}

extension OpenAPIOperation: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode(id, forKey: "operationId")
        try container.encode(summary, forKey: "summary")
        let needed = role > .listener ? "Requires the role `\(role.rawValue)`." : nil
        let description = [details, needed].compactMap(\.self).joined(separator: "\n\n")
        if !description.isEmpty { try container.encode(description, forKey: "description") }
        try container.encode([tag], forKey: "tags")
        let security: [[String: [String]]] =
            switch access {
            case .open: []
            case .key: [["key": []]]
            case .keyOrToken: [["key": []], ["token": []]]
            }
        try container.encode(security, forKey: "security")
        let parameters = allParameters
        if !parameters.isEmpty { try container.encode(parameters, forKey: "parameters") }
        let bodies = (body.map { [.json($0)] } ?? []) + bodyContents
        if !bodies.isEmpty {
            try container.encode(Body(contents: bodies, isRequired: isBodyRequired), forKey: "requestBody")
        }
        try container.encode(
            Dictionary(uniqueKeysWithValues: responses.map { ("\($0.status.rawValue)", $0) }),
            forKey: "responses")
    }

    private struct Body: Encodable {
        let contents: [OpenAPIResponse.Content]
        let isRequired: Bool

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: OpenAPIKey.self)
            try container.encode(isRequired, forKey: "required")
            try container.encode(
                Dictionary(uniqueKeysWithValues: contents.map { ($0.type, $0) }), forKey: "content")
        }
    }
}
