internal import HTTPServer

/// How good the sound of a stream is.
enum StreamQuality: String, Sendable, CaseIterable {
    /// The frames of the original file.
    case original
    /// The same sound at a low bit rate, for connections that are slow or cost money.
    case low

    /// Reads the quality that a request asks for.
    /// - Throws: 400 where there is no such quality.
    init(_ query: QueryParameters) throws(HTTPError) {
        guard let text = query["quality"] else {
            self = .original
            return
        }
        guard let quality = StreamQuality(rawValue: text) else {
            throw HTTPError(
                .badRequest, code: "invalid_parameter", message: "quality is \"original\" or \"low\".",
                field: "quality")
        }
        self = quality
    }

    /// The quality in a query, with an ampersand before it; nothing for the original.
    var query: String { self == .low ? "&quality=low" : "" }
}
