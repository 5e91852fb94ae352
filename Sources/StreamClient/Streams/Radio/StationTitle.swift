/// What a station says it is playing, at the moment from which on that holds.
public struct StationTitle: Sendable, Equatable {
    /// The title, most often "artist - title".
    public var text: String
    /// An address that goes with it, if any.
    public var address: String?

    /// Puts the parts together.
    public init(text: String, address: String? = nil) {
        self.text = text
        self.address = address
    }
}
