internal import HTTPServer

/// What a route does: its parameters, its answers and who may ask.
///
/// What follows from the way the host works is added by itself: errors of access, 304 and 412 for content that has a tag,
/// 206 and 416 for content of which parts can be had.
struct OpenAPIOperation: Sendable {
    /// Who may ask.
    enum Access: Sendable {
        /// Everybody.
        case open
        /// Who has the key.
        case key
        /// Who has the key, or a token for the track that the path names.
        case keyOrToken
    }

    let method: HTTPMethod
    /// The route's pattern.
    let path: String
    /// Name that generated clients give to the call.
    let id: String
    let summary: String
    var details: String?
    /// The heading that it stands under.
    let tag: String
    var access = Access.keyOrToken
    var parameters: [OpenAPIParameter] = []
    /// The JSON that a client sends.
    var body: JSONSchema?
    /// What else a client may send.
    var bodyContents: [OpenAPIResponse.Content] = []
    /// Whether it has to be sent.
    var isBodyRequired = true
    /// Status of the answer when all goes well.
    var status = HTTPStatus.ok
    /// Meaning and forms of that answer.
    let answer: String
    var contents: [OpenAPIResponse.Content] = []
    /// Further fields of that answer.
    var headers: [OpenAPIResponse.Header] = []
    /// Answers of other statuses that are no errors.
    var otherAnswers: [OpenAPIResponse] = []
    /// The answer has a tag that clients can ask by.
    var hasEntityTag = false
    /// Parts of the answer can be had.
    var allowsRanges = false
    var errors: [OpenAPIError] = []

    /// The route that it describes.
    var route: RegisteredRoute { RegisteredRoute(method: method, path: path) }

    /// The path as the description has it: `{id}` for `:id`.
    var template: String {
        path.replacing(/:([A-Za-z0-9_]+)/) { "{\($0.output.1)}" }
    }

    private var allParameters: [OpenAPIParameter] {
        parameters + (hasEntityTag && method == .get ? OpenAPIParameter.conditional : [])
            + (allowsRanges ? OpenAPIParameter.ranges : [])
    }

    private var allErrors: [OpenAPIError] {
        var all = errors
        if access != .open { all += OpenAPIError.access }
        if path.contains(":") { all += [.noPath, .badPath] }
        if method == .get { all.append(.precondition) }
        if allowsRanges { all.append(.range) }
        if body != nil { all += OpenAPIError.body }
        return all
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
                    status: .partialContent, meaning: "The part that `Range` asks for.", contents: contents,
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
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode(id, forKey: "operationId")
        try container.encode(summary, forKey: "summary")
        try container.encodeIfPresent(details, forKey: "description")
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
