internal import Foundation
internal import HTTPServer

/// What a request's JSON may hold.
protocol JSONContent: Decodable {
    /// All keys; any other is an error, so that a misspelt one is noticed.
    static var keys: [String] { get }
}

extension HTTPRequest {
    /// The JSON object that a client sent.
    /// - Throws: 415 for another media type, 413 for more than `limit` bytes, 400 for what is no such object, with the
    ///   field at fault.
    func json<Content: JSONContent>(_ type: Content.Type, upTo limit: Int = 1 << 20) async throws -> Content {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased() ?? ""
        guard mediaType.trimmingCharacters(in: .whitespaces) == "application/json" else {
            throw HTTPError(
                .unsupportedMediaType, code: "json_expected", message: "Send JSON, as application/json.",
                field: "Content-Type")
        }
        let bytes = try await body.collect(upTo: limit)
        do {
            return try JSONDecoder().decode(StrictObject<Content>.self, from: Data(bytes)).content
        } catch let error as DecodingError {
            throw Self.httpError(error)
        }
    }

    private static func httpError(_ error: DecodingError) -> HTTPError {
        switch error {
        case .keyNotFound(let key, let context):
            return HTTPError(
                .badRequest, code: "missing_field", message: "The field is missing.",
                field: (context.codingPath + [key]).first?.stringValue)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            guard let field = context.codingPath.first else {
                return HTTPError(
                    .badRequest, code: "malformed_json",
                    message: "The content is no JSON object with values of the right kinds.")
            }
            return HTTPError(
                .badRequest, code: "invalid_field", message: "The field has a value of another kind.",
                field: field.stringValue)
        @unknown default:
            return HTTPError(.badRequest, code: "malformed_json", message: "The content cannot be read.")
        }
    }
}

/// An object that has no keys but those that are known.
struct StrictObject<Content: JSONContent>: Decodable {
    let content: Content

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        for key in try decoder.container(keyedBy: Key.self).allKeys
        where !Content.keys.contains(key.stringValue) {
            throw HTTPError(
                .badRequest, code: "unknown_field",
                message: "The fields are: \(Content.keys.joined(separator: ", ")).", field: key.stringValue)
        }
        content = try Content(from: decoder)
    }
}
