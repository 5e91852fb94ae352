internal import Foundation
package import HTTPServer

/// JSON content of a request.
package protocol JSONContent: Decodable {
    /// All allowed keys. Any other key is an error, so that typos are noticed.
    static var keys: [String] { get }
}

extension HTTPRequest {
    /// Decodes the request body as a JSON object.
    /// - Throws: 415 for another media type, 413 if the body exceeds `limit` bytes, 400 or 422 for invalid
    ///   JSON, naming the field.
    package func json<Content: JSONContent>(_ type: Content.Type, upTo limit: Int = 1 << 20) async throws
        -> Content
    {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased() ?? ""
        guard mediaType.trimmingCharacters(in: .whitespaces) == "application/json" else {
            throw APIError.jsonExpected(
                "The request body must be JSON (Content-Type: application/json).", field: "Content-Type")
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
            return APIError.missingField(
                "The field is required.", field: (context.codingPath + [key]).first?.stringValue)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            guard let field = context.codingPath.first else {
                return APIError.malformedJSON(
                    "The content is not a JSON object with values of the expected types.")
            }
            return APIError.invalidField("The field has a value of the wrong type.", field: field.stringValue)
        @unknown default:
            return APIError.malformedJSON("The content cannot be read.")
        }
    }
}

/// Decodes an object and rejects unknown keys.
package struct StrictObject<Content: JSONContent>: Decodable {
    package let content: Content

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        for key in try decoder.container(keyedBy: Key.self).allKeys
        where !Content.keys.contains(key.stringValue) {
            throw APIError.unknownField(
                "Unknown field; known fields are: \(Content.keys.joined(separator: ", ")).",
                field: key.stringValue)
        }
        content = try Content(from: decoder)
    }
}
