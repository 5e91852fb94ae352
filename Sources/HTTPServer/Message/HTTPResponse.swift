/// A response as a handler makes it.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The header fields. `Content-Length`, `Date` and `Connection` are the server's.
    public var fields: HTTPFields
    /// The content.
    public var body: HTTPResponseBody
    /// Whether parts may be asked for with `Range`: for responses of 200 whose length is known. Files say yes of
    /// themselves.
    public var allowsRanges: Bool
    /// Whether text may be compressed on the wire. No is right for what is compressed already, or mixes secrets with
    /// what an attacker chooses.
    public var allowsCompression = true
    /// Whether the server may answer the same request with this again, without asking the handler.
    public var repetition: Repetition?
    /// The length of the content that a 304 leaves out, where it is known.
    var omittedByteCount: Int?

    /// Makes a response.
    public init(
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

    /// Plain text in UTF-8.
    public static func text(_ text: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status, fields: [.contentType: "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8)))
    }

    /// JSON that is encoded already.
    public static func json(_ bytes: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
        HTTPResponse(status, fields: [.contentType: "application/json"], body: .bytes(bytes))
    }

    /// Sends the client elsewhere. The method stays what it was.
    public static func redirect(to location: String, permanently: Bool = false) -> HTTPResponse {
        HTTPResponse(
            permanently ? .permanentRedirect : .temporaryRedirect, fields: [.location: location])
    }
}
