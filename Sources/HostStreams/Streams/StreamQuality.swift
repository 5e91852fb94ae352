package import APIDescription

/// The quality of a stream's audio.
package enum StreamQuality: String, Sendable, CaseIterable {
    /// The frames of the original file.
    case original
    /// The same audio at a low bit rate, for slow or metered connections.
    case low

    /// The parameter of a request.
    package static let parameter = QueryParameter<StreamQuality>(
        "quality",
        "The frames of the original file, or a transcoded version at 64 kbit/s (32 for mono), which is created on "
            + "first request.", default: .original)

    /// The quality as a query parameter with a leading ampersand; empty for the original.
    package var query: String { self == .low ? "&quality=low" : "" }
}
