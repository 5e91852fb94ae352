internal import Foundation
internal import HTTPServer

extension JSONEncoder {
    /// Writes as the host does everywhere: the same bytes for the same value, slashes as they are.
    static var ofHost: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return encoder
    }
}

extension HTTPResponse {
    /// A value as JSON, which clients may keep as long as its tag stands.
    static func json(_ value: some Encodable, status: HTTPStatus = .ok, etag: EntityTag? = nil) throws
        -> HTTPResponse
    {
        var response = HTTPResponse.json(Array(try JSONEncoder.ofHost.encode(value)), status)
        response.fields[.cacheControl] = "no-cache"
        if let etag { response.fields[.entityTag] = etag.description }
        return response
    }
}
