package import APIDescription

/// The quality of a stream's audio.
package enum StreamQuality: String, Sendable, CaseIterable {
    /// The frames of the original file.
    case original
    /// MP3 at 192 kbit/s, for players that cannot play the original's format.
    case high
    /// MP3 at 64 kbit/s, for slow or metered connections.
    case low

    /// The parameter of a request.
    package static let parameter = QueryParameter<StreamQuality>(
        "quality",
        "The frames of the original file, or MP3 made from it on first request: `high` at 192 kbit/s (96 for mono), for files of "
            + "other formats only, and `low` at 64 kbit/s (32 for mono).", default: .original)

    /// The quality as a query parameter with a leading ampersand; empty for the original.
    package var query: String { self == .original ? "" : "&quality=\(rawValue)" }

    /// The bit rate of this quality in kbit/s; nil for the original.
    func kilobits(channelCount: Int) -> Int? {
        switch self {
        case .original: nil
        case .high: channelCount == 1 ? 96 : 192
        case .low: channelCount == 1 ? 32 : 64
        }
    }
}
