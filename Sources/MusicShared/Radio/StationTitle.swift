/// A title reported by a station, valid from the point in the stream at which it was received.
public struct StationTitle: Sendable, Equatable {
    /// The title, usually "artist - title".
    public var text: String
    /// An accompanying URL, if any.
    public var address: String?

    /// Creates a title from its parts.
    public init(text: String, address: String? = nil) {
        self.text = text
        self.address = address
    }
}
