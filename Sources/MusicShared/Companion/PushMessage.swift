/// A message of `GET /ws/push`: an event, when it was, and the cursor from which a client goes on after it.
public struct PushMessage: Codable, Sendable, Equatable {
    /// The cursor: with `?since=` it brings all that has happened after this event. To be kept as it is.
    public var id: String
    /// When it happened, in seconds since 1970 (UTC).
    public var at: Double
    /// What happened; its keys stand beside the two above.
    public var event: PushEvent

    /// Puts the parts together.
    public init(id: String, at: Double, event: PushEvent) {
        self.id = id
        self.at = at
        self.event = event
    }

    private enum CodingKeys: String, CodingKey { case id, at }

    /// Writes the message as one object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(at, forKey: .at)
        try event.encode(to: encoder)
    }

    /// Reads the message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        at = try container.decode(Double.self, forKey: .at)
        event = try PushEvent(from: decoder)
    }
}

/// Why the host closed `GET /ws/push`, beside the codes of RFC 6455.
public enum PushCloseCode {
    /// The client reads too slowly; it may come back with its cursor.
    public static let tooSlow: UInt16 = 4003
}
