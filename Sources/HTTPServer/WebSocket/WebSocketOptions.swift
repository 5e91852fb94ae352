/// What a WebSocket puts up with.
public struct WebSocketOptions: Sendable {
    /// What becomes of a message that does not fit into the queue of a peer that reads slowly.
    public enum SlowReaderPolicy: Sendable, Hashable {
        /// The peer is cut off.
        case disconnect
        /// The message is left out.
        case dropMessage
        /// `send` waits.
        case wait
    }

    /// The most bytes of one received message; a larger one closes with 1009.
    public var messageLimit = 1 << 20
    /// The bytes of received messages that may wait to be read; above it the socket is read no further.
    public var incomingLimit = 1 << 20
    /// The bytes of messages that may wait to be sent.
    public var outgoingLimit = 1 << 20
    /// What becomes of messages above that.
    public var slowReaderPolicy = SlowReaderPolicy.disconnect
    /// How often the peer is pinged, in seconds; nil means never.
    public var pingIntervalSeconds: Double? = 20
    /// After how many pings without any sign of life the peer counts as lost.
    public var missedPingLimit = 3
    /// How long the peer may take to answer a close, in seconds.
    public var closeTimeoutSeconds = 5.0
    /// The subprotocols that are spoken, best first; the first one that the client offers is taken.
    public var subprotocols: [String] = []

    /// The defaults.
    public init() {}
}
