/// A message on `GET /ws/push`: an event, its time, and the cursor to resume from after it.
public struct PushMessage: Codable, Sendable, Equatable {
    /// The cursor: sent as `?since=`, it returns everything after this event. Opaque to clients.
    public var id: String
    /// Time of the event in seconds since 1970 (UTC).
    public var at: Double
    /// The event; its keys are encoded next to the two above.
    public var event: PushEvent

    /// Memberwise initializer.
    public init(id: String, at: Double, event: PushEvent) {
        self.id = id
        self.at = at
        self.event = event
    }

    private enum CodingKeys: String, CodingKey { case id, at }

    /// Encodes the message as one object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(at, forKey: .at)
        try event.encode(to: encoder)
    }

    /// Decodes the message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        at = try container.decode(Double.self, forKey: .at)
        event = try PushEvent(from: decoder)
    }
}

/// Close codes of `GET /ws/push`, in addition to those of RFC 6455.
public enum PushCloseCode {
    /// The client reads too slowly; it can reconnect with its cursor.
    public static let tooSlow: UInt16 = 4003
}
