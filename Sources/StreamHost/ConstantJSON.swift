internal import HTTPServer

/// A JSON document that stays the same while the program runs.
struct ConstantJSON {
    private let bytes: [UInt8]
    private let tag: EntityTag

    /// - Parameter name: sets its tag apart from other documents'.
    init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        tag = EntityTag(name, ofContent: bytes)
    }

    /// The answer that hands it out.
    var response: HTTPResponse {
        var response = HTTPResponse.json(bytes)
        response.fields[.cacheControl] = "no-cache"
        response.fields[.entityTag] = tag.description
        return response
    }
}
