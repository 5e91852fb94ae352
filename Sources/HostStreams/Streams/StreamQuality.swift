package import HTTPServer

/// The quality of a stream's audio.
package enum StreamQuality: String, Sendable, CaseIterable {
    /// The frames of the original file.
    case original
    /// The same audio at a low bit rate, for slow or metered connections.
    case low

    /// Parses the requested quality.
    /// - Throws: 422 for an unknown quality.
    package init(_ query: QueryParameters) throws(HTTPError) {
        guard let text = query["quality"] else {
            self = .original
            return
        }
        guard let quality = StreamQuality(rawValue: text) else {
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter",
                message: "quality must be \"original\" or \"low\".",
                field: "quality")
        }
        self = quality
    }

    /// The quality as a query parameter with a leading ampersand; empty for the original.
    package var query: String { self == .low ? "&quality=low" : "" }
}
