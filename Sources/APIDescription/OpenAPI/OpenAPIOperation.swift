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
    package var details: String?
    /// The group that the operation is listed in.
    package let tag: String
    package var access = Access.keyOrToken
    /// The role that the caller's account needs.
    package var role = AccountRole.listener
    package var parameters: [OpenAPIParameter] = []
    /// The schema of the JSON request body.
    package var body: JSONSchema?
    /// Other accepted request bodies.
    package var bodyContents: [OpenAPIResponse.Content] = []
    /// Whether a body is required.
    package var isBodyRequired = true
    /// Status of a successful response.
    package var status = HTTPStatus.ok
    /// Description of the successful response.
    package let answer: String
    package var contents: [OpenAPIResponse.Content] = []
    /// Additional header fields of the successful response.
    package var headers: [OpenAPIResponse.Header] = []
    /// Non-error responses with other statuses.
    package var otherAnswers: [OpenAPIResponse] = []
    /// Whether the response has an ETag, which conditional requests can use.
    package var hasEntityTag = false
    /// Whether the response supports range requests.
    package var allowsRanges = false
    package var errors: [OpenAPIError] = []

    /// Memberwise initializer.
    package init(
        method: HTTPMethod, path: String, id: String, summary: String, details: String? = nil, tag: String,
        access: Access = .keyOrToken, role: AccountRole = .listener, parameters: [OpenAPIParameter] = [],
        body: JSONSchema? = nil, bodyContents: [OpenAPIResponse.Content] = [], isBodyRequired: Bool = true,
        status: HTTPStatus = .ok, answer: String, contents: [OpenAPIResponse.Content] = [],
        headers: [OpenAPIResponse.Header] = [], otherAnswers: [OpenAPIResponse] = [],
        hasEntityTag: Bool = false, allowsRanges: Bool = false, errors: [OpenAPIError] = []
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.summary = summary
        self.details = details
        self.tag = tag
        self.access = access
        self.role = role
        self.parameters = parameters
        self.body = body
        self.bodyContents = bodyContents
        self.isBodyRequired = isBodyRequired
        self.status = status
        self.answer = answer
        self.contents = contents
        self.headers = headers
        self.otherAnswers = otherAnswers
        self.hasEntityTag = hasEntityTag
        self.allowsRanges = allowsRanges
        self.errors = errors
    }

    /// The route that this describes.
    package var route: RegisteredRoute { RegisteredRoute(method: method, path: path) }

    /// The path in OpenAPI syntax: `{id}` for `:id`.
    package var template: String {
        path.replacing(/:([A-Za-z0-9_]+)/) { "{\($0.output.1)}" }
    }

    private var allParameters: [OpenAPIParameter] {
        parameters + (hasEntityTag && method == .get ? OpenAPIParameter.conditional : [])
            + (allowsRanges ? OpenAPIParameter.ranges : [])
    }

    private var allErrors: [OpenAPIError] {
        var all =
            errors.map { $0.resolved(for: path) } + [
                OpenAPIError.unknownParameter, .diskFull, .databaseDamaged,
            ]
        if access != .open { all += OpenAPIError.access }
        if role > .listener { all.append(.role) }
        if path.contains(":") { all += [.noPath, .badPath] }
        if method == .get { all.append(.precondition) }
        if allowsRanges { all.append(.range) }
        if body != nil { all += OpenAPIError.body }
        // The operation's own descriptions take precedence over the common ones.
        var known: Set<String> = []
        return all.filter { known.insert("\($0.status.rawValue) \($0.code)").inserted }
    }

    private var responses: [OpenAPIResponse] {
        var all = [
            OpenAPIResponse(
                status: status, meaning: answer, contents: contents,
                headers: headers + (hasEntityTag ? [.entityTag] : []))
        ]
        all += otherAnswers
        if allowsRanges {
            all.append(
                OpenAPIResponse(
                    status: .partialContent, meaning: "The requested range.", contents: contents,
                    headers: [.contentRange] + (hasEntityTag ? [.entityTag] : [])))
        }
        if method == .get {
            all.append(
                OpenAPIResponse(
                    status: .notModified, meaning: "The client's copy is current.",
                    headers: hasEntityTag ? [.entityTag] : []))
        }
        return all + OpenAPIError.responses(allErrors)
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
