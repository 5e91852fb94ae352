/// The response of a handler.
package struct HTTPResponse: Sendable {
    /// The status.
    package var status: HTTPStatus
    /// The header fields. The server adds `Content-Length`, `Date` and `Connection`.
    package var fields: HTTPFields
    /// The body.
    package var body: HTTPResponseBody
    /// Whether ranges may be requested with `Range`; applies to responses with status 200 and a known length. True by default
    /// for files.
    package var allowsRanges: Bool
    /// Whether text may be compressed. Set to false for content that is already compressed, or that mixes secrets with text
    /// chosen by an attacker.
    package var allowsCompression = true
    /// The length of the content omitted from a 304 response, if known.
    var omittedByteCount: Int?

    /// Creates a response.
    package init(
        _ status: HTTPStatus = .ok, fields: HTTPFields = [:], body: HTTPResponseBody = .empty,
        allowsRanges: Bool? = nil
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        if let allowsRanges {
            self.allowsRanges = allowsRanges
        } else if case .file = body {
            self.allowsRanges = true
        } else {
            self.allowsRanges = false
        }
    }

    /// Returns a plain-text response in UTF-8.
    package static func text(_ text: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status, fields: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    /// Returns a response with encoded JSON.
    package static func json(_ bytes: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, fields: [.contentType: "application/json"], body: .bytes(bytes))
    }

    /// Returns a redirect that keeps the request method.
    package static func redirect(to location: String, permanently: Bool = false) -> HTTPResponse {
        HTTPResponse(
            permanently ? .permanentRedirect : .temporaryRedirect, fields: [.location: location])
    }
}
