package import Foundation
package import HTTPServer

extension JSONEncoder {
    /// The encoder of all responses: deterministic (sorted keys), slashes unescaped.
    package static var ofHost: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }
}

extension HTTPResponse {
    /// Returns a JSON response. Clients may cache it but must revalidate it.
    package static func json(_ value: some Encodable, status: HTTPStatus = .ok, etag: EntityTag? = nil) throws
        -> HTTPResponse
    {
        var response = HTTPResponse.json(Array(try JSONEncoder.ofHost.encode(value)), status)
        response.fields[.cacheControl] = "no-cache"
        if let etag { response.fields[.entityTag] = etag.description }
        return response
    }

    /// Returns a JSON response whose entity tag is made from its content.
    /// - Parameter name: the first part of the tag.
    package static func json(_ value: some Encodable, taggedAs name: String) throws -> HTTPResponse {
        let bytes = Array(try JSONEncoder.ofHost.encode(value))
        var response = HTTPResponse.json(bytes)
        response.fields[.cacheControl] = "no-cache"
        response.fields[.entityTag] = EntityTag(name, ofContent: bytes).description
        return response
    }
}

extension HTTPRequest {
    /// Whether the client already has the state of this tag.
    package func hasCurrent(_ tag: EntityTag) -> Bool {
        (method == .get || method == .head)
            && Preconditions(entityTag: tag).evaluate(fields, byteCount: nil) == .notModified
    }
}
