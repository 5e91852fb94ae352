package import HTTPServer

/// A JSON document that does not change while the program runs.
package struct ConstantJSON {
    private let bytes: [UInt8]
    private let tag: EntityTag

    /// - Parameter name: Distinguishes its ETag from those of other documents.
    package init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        tag = EntityTag(name, ofContent: bytes)
    }

    /// The response that returns the document.
    package var response: HTTPResponse {
        var response = HTTPResponse.json(bytes)
        response.fields[.cacheControl] = "no-cache"
        response.fields[.entityTag] = tag.description
        return response
    }
}
