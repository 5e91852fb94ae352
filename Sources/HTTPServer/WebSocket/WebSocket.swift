internal import Synchronization

/// The server side of a WebSocket (RFC 6455). Answers pings and handles closing handshakes itself.
package final class WebSocket: Sendable {
    /// Limits and timeouts.
    package let options: WebSocketOptions
    private let reactor: WebSocketReactor
    private let state: Mutex<State>

    private struct State: Sendable {
        let endpoint: WebSocketEndpoint
        var framing: WebSocketFraming?
        var inbox: [WebSocketMessage] = []
        var reader: CheckedContinuation<WebSocketMessage?, any Error>?
        var writers: [CheckedContinuation<Void, any Error>] = []
        var closeCode: WebSocketCloseCode?
        var closingSince: UInt64?
        var lastPing: UInt64
        var missedPingCount = 0
    }

    /// Continuations to resume after the lock has been released.
    private struct Wakeups {
        var reader: (CheckedContinuation<WebSocketMessage?, any Error>, WebSocketMessage?)?
        var writers: [CheckedContinuation<Void, any Error>] = []
        var writersFail = false

        func run() {
            if let (reader, message) = reader { reader.resume(returning: message) }
            for writer in writers {
                if writersFail {
                    writer.resume(throwing: HTTPServerError.connectionClosed)
                } else {
                    writer.resume()
                }
            }
        }
    }

    init(_ endpoint: WebSocketEndpoint, early: [UInt8], options: WebSocketOptions, reactor: WebSocketReactor)
        throws(HTTPServerError)
    {
        self.options = options
        self.reactor = reactor
        let framing = try WebSocketFraming(descriptor: endpoint.descriptor, early: early, options: options)
        state = Mutex(
            State(endpoint: endpoint, framing: framing, lastPing: MonotonicClock.coarseNanoseconds()))
    }

    /// The close code, from either side; nil while the socket is open.
    package var closeCode: WebSocketCloseCode? { state.withLock { $0.closeCode } }

    /// Number of queued outgoing bytes, including an overhead per message.
    package var outgoingByteCount: Int { state.withLock { $0.framing?.outgoingByteCount ?? 0 } }

    /// The messages of the peer, until the socket is closed. May be read by one task at a time; while none reads, at most
    /// ``WebSocketOptions/incomingLimit`` bytes and one message are buffered.
    package var messages: Messages { Messages(socket: self) }

    /// The messages of a socket, in order.
    package struct Messages: AsyncSequence, AsyncIteratorProtocol, Sendable {
        fileprivate let socket: WebSocket

        /// Returns the next message; nil once the socket is closed, see ``WebSocket/closeCode``.
        package mutating func next() async throws -> WebSocketMessage? { try await socket.nextMessage() }

        /// Returns the sequence itself.
        package func makeAsyncIterator() -> Messages { self }
    }

    // MARK: Sending

    /// Sends a text message.
    ///
    /// - Throws: ``HTTPServerError`` if the socket is closed, or the peer was disconnected for reading too slowly.
    package func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends a binary message.
    ///
    /// - Throws: The same errors as for text.
    package func send(_ bytes: [UInt8]) async throws { try await send(.binary(bytes)) }

    /// Sends a message: at once if the socket has space, otherwise through a bounded queue.
    ///
    /// - Returns: False if the message was dropped because the peer reads slowly and the policy says so.
    /// - Throws: ``HTTPServerError`` if the socket is closed, or the peer was disconnected for reading too slowly.
    @discardableResult
    package func send(_ message: WebSocketMessage) async throws -> Bool {
        while true {
            switch attempt(message) {
            case .sent: return true
            case .dropped: return false
            case .closed: throw HTTPServerError.connectionClosed
            case .cutOff:
                throw HTTPServerError(.queueFull, "peer disconnected: it reads too slowly")
            case .full: try await roomInQueue()
            }
        }
    }

    /// Sends a message if this is possible without waiting, whatever the policy for slow readers.
    ///
    /// - Returns: Whether it was sent or queued. If not, the socket is closed, the peer was disconnected, or, unless the
    ///   policy disconnects slow readers, the message was dropped.
    @discardableResult
    package func offer(_ message: WebSocketMessage) -> Bool { attempt(message) == .sent }

    private enum Outcome {
        case sent, dropped, closed, cutOff, full
    }

    private func attempt(_ message: WebSocketMessage) -> Outcome {
        let (outcome, wakeups) = state.withLock { state -> (Outcome, Wakeups) in
            guard let framing = state.framing, state.closingSince == nil else { return (.closed, Wakeups()) }
            let waiting = framing.outgoingByteCount
            // A message larger than the queue is accepted if the queue is empty.
            if waiting > 0, waiting + message.cost > options.outgoingLimit {
                switch options.slowReaderPolicy {
                case .dropMessage: return (.dropped, Wakeups())
                case .wait: return (.full, Wakeups())
                case .disconnect: return (.cutOff, finish(&state, .policyViolation))
                }
            }
            guard framing.queue(message) else { return (.closed, Wakeups()) }
            return (.sent, pump(&state))
        }
        wakeups.run()
        return outcome
    }

    private func roomInQueue() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let isOpen = state.withLock { state -> Bool? in
                guard let framing = state.framing else { return false }
                // The queue may have drained since the attempt.
                guard framing.outgoingByteCount > 0 else { return true }
                state.writers.append(continuation)
                return nil
            }
            switch isOpen {
            case true?: continuation.resume()
            case false?: continuation.resume(throwing: HTTPServerError.connectionClosed)
            case nil: break
            }
        }
    }

    /// Sends a ping with at most 125 bytes.
    package func ping(_ bytes: [UInt8] = []) {
        act { state in _ = state.framing?.queuePing(Array(bytes.prefix(125))) }
    }

    /// Starts closing: queued messages are still sent, then the peer must close as well, or is disconnected after a timeout.
    package func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
        act { state in
            guard let framing = state.framing, state.closingSince == nil else { return }
            state.closingSince = MonotonicClock.coarseNanoseconds()
            _ = framing.queueClose(code.isSendable ? code : .normal, reason: reason)
        }
    }

    // MARK: Receiving

    private func nextMessage() async throws -> WebSocketMessage? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (immediate, wakeups) = state.withLock {
                    state -> (Result<WebSocketMessage?, any Error>?, Wakeups) in
                    if !state.inbox.isEmpty {
                        let message = state.inbox.removeFirst()
                        state.framing?.incomingByteCount -= message.cost
                        return (.success(message), pump(&state))
                    }
                    if state.framing == nil { return (.success(nil), Wakeups()) }
                    if Task.isCancelled { return (.failure(CancellationError()), Wakeups()) }
                    if state.reader != nil {
                        let message = "another task is already reading the messages"
                        return (.failure(HTTPServerError(.inputOutput, message)), Wakeups())
                    }
                    state.reader = continuation
                    return (nil, pump(&state))
                }
                wakeups.run()
                if let immediate { continuation.resume(with: immediate) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(throwing: CancellationError())
        }
    }

    // MARK: Input and output

    private func act(_ body: (inout State) -> Void) {
        let wakeups = state.withLock { state in
            body(&state)
            return pump(&state)
        }
        wakeups.run()
    }

    /// Called when the descriptor is ready or early bytes are available: receives and sends as much as possible.
    func proceed() { act { _ in } }

    /// Receives and sends as much as possible without waiting, and reports to the reactor which events to wait for.
    private func pump(_ state: inout State) -> Wakeups {
        guard let framing = state.framing else { return Wakeups() }
        var wakeups = Wakeups()
        let isReceiving = framing.wantsToRead || framing.hasEarlyBytes
        let isHealthy =
            (!isReceiving || framing.receive()) && (!framing.wantsToWrite || framing.send())
        if framing.hasHeard {
            framing.hasHeard = false
            state.missedPingCount = 0
        }
        state.inbox.append(contentsOf: framing.received)
        framing.received = []
        if let reader = state.reader, !state.inbox.isEmpty {
            let message = state.inbox.removeFirst()
            framing.incomingByteCount -= message.cost
            state.reader = nil
            wakeups.reader = (reader, message)
        }
        if !isHealthy || framing.isOver {
            let ending = finish(&state, nil)
            wakeups.writers = ending.writers
            wakeups.writersFail = true
            if wakeups.reader == nil { wakeups.reader = ending.reader }
            return wakeups
        }
        // A peer that must close, because we closed or it made an error, has limited time to do so.
        if state.closingSince == nil, framing.hasSentClose {
            state.closingSince = MonotonicClock.coarseNanoseconds()
        }
        if framing.outgoingByteCount <= options.outgoingLimit / 2 {
            wakeups.writers = state.writers
            state.writers = []
        }
        reactor.watch(state.endpoint.descriptor, reads: framing.wantsToRead, writes: framing.wantsToWrite)
        return wakeups
    }

    /// Closes the socket. Messages already received remain readable.
    private func finish(_ state: inout State, _ code: WebSocketCloseCode?) -> Wakeups {
        guard let framing = state.framing else { return Wakeups() }
        state.closeCode = code ?? framing.closeCode
        state.framing = nil
        reactor.forget(state.endpoint.descriptor)
        state.endpoint.close()
        var wakeups = Wakeups(writers: state.writers, writersFail: true)
        state.writers = []
        if let reader = state.reader {
            state.reader = nil
            wakeups.reader = (reader, nil)
        }
        return wakeups
    }

    /// Closes the connection without a handshake.
    func cut() {
        let wakeups = state.withLock { finish(&$0, .abnormal) }
        wakeups.run()
    }

    /// Sends pings when due, and disconnects peers that do not respond.
    func checkTimeouts(_ now: UInt64) {
        let wakeups = state.withLock { state -> Wakeups in
            if let since = state.closingSince {
                let isOverdue = now > since && Double(now - since) > options.closeTimeoutSeconds * 1e9
                return isOverdue ? finish(&state, state.framing?.closeCode) : Wakeups()
            }
            guard let interval = options.pingIntervalSeconds, now > state.lastPing,
                Double(now - state.lastPing) >= interval * 1e9
            else { return Wakeups() }
            if state.missedPingCount >= options.missedPingLimit { return finish(&state, .abnormal) }
            state.lastPing = now
            state.missedPingCount += 1
            _ = state.framing?.queuePing([])
            return pump(&state)
        }
        wakeups.run()
    }
}
