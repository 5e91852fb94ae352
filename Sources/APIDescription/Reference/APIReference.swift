internal import HTTPServer
internal import MusicShared

/// The API's description, arranged for people: `docs/api.md` and the page at `/docs` are rendered from it.
package struct APIReference: Sendable {
    /// The operations under one heading.
    package struct Section: Sendable {
        package let name: String
        package let operations: [OpenAPIOperation]

        /// The name as an identifier in addresses.
        package var anchor: String { "tag-" + name.lowercased().replacing(" ", with: "-") }
    }

    /// A schema that operations refer to by name.
    package struct NamedSchema: Sendable {
        package let name: String
        package let schema: JSONSchema
    }

    /// The sections in alphabetical order; operations in the order of their descriptions.
    package let sections: [Section]
    /// The schemas in alphabetical order.
    package let schemas: [NamedSchema]
    /// Paragraphs that apply to all operations.
    package let introduction: [String]

    package init(_ document: OpenAPIDocument) {
        sections = Dictionary(grouping: document.operations, by: \.tag)
            .map { Section(name: $0.key, operations: $0.value) }
            .sorted { $0.name < $1.name }
        schemas = document.schemas.map { NamedSchema(name: $0.key, schema: $0.value) }
            .sorted { $0.name < $1.name }
        introduction = OpenAPIDocument.Info().description.paragraphs
    }

    /// The errors that any operation may answer with, and the condition under which it does.
    package static let commonErrors: [(condition: String, errors: [APIError])] = [
        ("Every operation", [.unknownParameter, .noSpace, .databaseDamaged]),
        ("Operations that need a credential", APIError.ofAccess),
        ("Operations with a parameter in the path", [.notFound, .malformedPath]),
        ("Operations with parameters in the query", [.invalidParameter, .missingParameter]),
        ("GET with `If-Match`", [.preconditionFailed]),
        ("GET with `Range`", [.rangeNotSatisfiable]),
        ("Operations with a JSON body", APIError.ofBody),
    ]
}

extension OpenAPIOperation {
    /// The credential that the operation needs, as a phrase.
    package var accessText: String {
        switch access {
        case .open: "No credential"
        case .key: "API key or app password"
        case .keyOrToken: "API key, app password or token"
        }
    }

    /// Credential, conditions and ranges, as phrases.
    package var facts: [String] {
        var all = [accessText]
        if role > .listener { all.append("role \(role.rawValue)") }
        if answer.hasEntityTag { all.append("ETag") }
        if answer.allowsRanges { all.append("ranges") }
        return all
    }

    /// The forms in which a body may be sent.
    package var bodies: [OpenAPIResponse.Content] { (body.map { [.json($0)] } ?? []) + bodyContents }

    /// The answers that are no errors.
    package var answers: [OpenAPIResponse] {
        [answer] + otherAnswers
    }

    /// The errors of this operation besides those common to all.
    package var ownErrors: [APIError] {
        let missing = ResourceKind.named(inPath: path)?.error
        return errors
            + [missing].compactMap(\.self).filter { error in
                !errors.contains { ($0.status, $0.code) == (error.status, error.code) }
            }
    }
}

extension String {
    /// The parts between blank lines.
    package var paragraphs: [String] { split(separator: "\n\n").map(String.init) }
}
