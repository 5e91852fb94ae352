/// The client's end of an open WebSocket. Answers pings and close frames itself. Safe to call from any thread.
public protocol WebSocketConnection: AnyObject, Sendable {
    /// The messages from the server, for one reader. Ends after ``WebSocketMessage/closed(code:reason:)`` or
    /// ``close(code:reason:)``; throws a ``WebSocketError`` if the connection is lost. Cancelling the reading task closes the
    /// connection.
    var messages: AsyncThrowingStream<WebSocketMessage, any Error> { get }

    /// The time at which data from the server last arrived, including answers to pings.
    var lastActivity: ContinuousClock.Instant { get }

    /// Sends a text message after those sent before; does nothing if the connection is closed.
    func send(_ text: String)

    /// Sends a ping; does nothing if the connection is closed.
    func sendPing()

    /// Sends a close frame and closes the connection without waiting for the answer.
    /// - Parameters:
    ///   - code: the status code (RFC 6455 §7.4.1).
    ///   - reason: truncated to 123 bytes.
    func close(code: UInt16, reason: String)
}
