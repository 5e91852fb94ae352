/// Limits and timeouts of a WebSocket.
package struct WebSocketOptions: Sendable {
    /// The treatment of a message that does not fit the queue of a slow peer.
    package enum SlowReaderPolicy: Sendable, Hashable {
        /// The peer is disconnected.
        case disconnect
        /// The message is dropped.
        case dropMessage
        /// `send` waits.
        case wait
    }

    /// Maximum size of a received message in bytes; a larger one closes the socket with 1009.
    package var messageLimit = 1 << 20
    /// Maximum number of received bytes waiting to be read; above it, no more data is read from the socket.
    package var incomingLimit = 1 << 20
    /// Maximum number of bytes waiting to be sent.
    package var outgoingLimit = 1 << 20
    /// The treatment of messages above that limit.
    package var slowReaderPolicy = SlowReaderPolicy.disconnect
    /// Seconds between pings; nil for no pings.
    package var pingIntervalSeconds: Double? = 20
    /// Number of unanswered pings after which the peer counts as lost.
    package var missedPingLimit = 3
    /// Seconds that the peer may take to answer a close.
    package var closeTimeoutSeconds = 5.0
    /// The supported subprotocols, preferred first; the first one offered by the client is selected.
    package var subprotocols: [String] = []

    /// The default options.
    package init() {}
}
