package import StreamClient
internal import Synchronization

/// WebSockets whose other end is a closure of the test.
package final class MemoryWebSockets: WebSocketConnector {
    /// A connection in memory.
    package final class Connection: WebSocketConnection {
        package let messages: AsyncThrowingStream<WebSocketMessage, any Error>
        /// The texts that the client has sent.
        package let texts: AsyncStream<String>
        private let toClient: AsyncThrowingStream<WebSocketMessage, any Error>.Continuation
        private let toServer: AsyncStream<String>.Continuation
        private let activity = Mutex(ContinuousClock.now)
        private let closings = Mutex<[UInt16]>([])
        private let pings = Mutex<(count: Int, observer: (@Sendable (Int) -> Void)?)>((0, nil))
        /// Whether pings are answered.
        private let answersPings: Bool

        init(answersPings: Bool) {
            self.answersPings = answersPings
            (messages, toClient) = AsyncThrowingStream.makeStream(of: WebSocketMessage.self)
            (texts, toServer) = AsyncStream.makeStream(of: String.self)
        }

        package var lastActivity: ContinuousClock.Instant { activity.withLock { $0 } }
        /// The codes with which the client has closed the connection.
        package var closeCodes: [UInt16] { closings.withLock { $0 } }

        package func send(_ text: String) { toServer.yield(text) }

        package func sendPing() {
            if answersPings { activity.withLock { $0 = .now } }
            let (count, observer) = pings.withLock { pings in
                pings.count += 1
                return pings
            }
            observer?(count)
        }

        /// Calls a closure with the number of pings so far, at each.
        package func onPing(_ observer: @escaping @Sendable (Int) -> Void) {
            pings.withLock { $0.observer = observer }
        }

        package func close(code: UInt16, reason: String) {
            closings.withLock { $0.append(code) }
            toServer.finish()
            toClient.finish()
        }

        /// Sends a message to the client.
        package func deliver(_ message: WebSocketMessage) {
            activity.withLock { $0 = .now }
            toClient.yield(message)
        }

        /// Moves the last activity into the past, as if this machine had slept.
        package func age(by duration: Duration) { activity.withLock { $0 -= duration } }

        /// Ends the connection with an error.
        package func fail(_ error: WebSocketError) { toClient.finish(throwing: error) }
    }

    private let count = Mutex(0)
    private let answersPings: Bool
    private let serve: @Sendable (Int, TransportRequest, Connection) throws(WebSocketError) -> Void

    /// - Parameters:
    ///   - answersPings: whether pings are answered.
    ///   - serve: called for each connection, with its number from 0; throws to reject the handshake. Must not wait.
    package init(
        answersPings: Bool = true,
        serve: @escaping @Sendable (Int, TransportRequest, Connection) throws(WebSocketError) -> Void
    ) {
        self.answersPings = answersPings
        self.serve = serve
    }

    /// Number of attempts to connect.
    package var attemptCount: Int { count.withLock { $0 } }

    package func connect(
        _ request: TransportRequest
    ) async throws(WebSocketError) -> any WebSocketConnection {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        let connection = Connection(answersPings: answersPings)
        try serve(number, request, connection)
        return connection
    }
}
