internal import Foundation
internal import HTTPServer

extension HTTPResponse {
    /// A value as JSON, which clients may keep as long as its tag stands.
    static func json(_ value: some Encodable, etag: EntityTag? = nil) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        var response = HTTPResponse.json(Array(try encoder.encode(value)))
        response.fields[.cacheControl] = "no-cache"
        if let etag { response.fields[.entityTag] = etag.description }
        return response
    }
}
