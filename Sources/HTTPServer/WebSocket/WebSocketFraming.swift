internal import Glibc
internal import WebSockets

/// Reads and writes the messages of a server's WebSocket on a descriptor, within limits.
///
/// @unchecked: only used under the lock of the `WebSocket` that owns it.
final class WebSocketFraming: WebSocketChannel, @unchecked Sendable {
    private let session: WebSocketSession
    private let descriptor: Int32
    // Bytes that the client sent directly after its handshake.
    private var early: ArraySlice<UInt8>
    private let incomingLimit: Int
    private let outgoingLimit: Int
    // The session queues a pong for each ping, regardless of the policy for messages.
    private static let replyAllowance = 64 << 10

    /// Messages that have been received completely.
    var received: [WebSocketMessage] = []
    /// Number of bytes of messages received but not yet read by the application.
    var incomingByteCount = 0
    /// Whether the peer has closed its side of the connection.
    private(set) var isAtEnd = false
    private var hasShutDown = false

    init(descriptor: Int32, early: [UInt8], options: WebSocketOptions) throws(HTTPServerError) {
        guard let session = WebSocketSession(.server, messageLimit: options.messageLimit) else {
            throw HTTPServerError(.cannotStart, "out of memory")
        }
        self.session = session
        self.descriptor = descriptor
        self.early = early[...]
        incomingLimit = options.incomingLimit
        outgoingLimit = options.outgoingLimit
    }

    /// Whether anything, including a pong, has been received since this was last reset.
    var hasHeard: Bool {
        get { session.hasHeard }
        set { session.hasHeard = newValue }
    }
    /// Number of bytes waiting to be sent, including the overhead per message.
    var outgoingByteCount: Int {
        session.queuedByteCount + session.queuedMessageCount * WebSocketMessage.overhead
    }
    /// Whether there is space for more input and the replies it causes.
    private var hasRoom: Bool {
        incomingByteCount < incomingLimit && outgoingByteCount < outgoingLimit + Self.replyAllowance
    }
    /// Whether frames are waiting to be sent.
    var wantsToWrite: Bool { session.wantsToWrite }
    /// Whether there is space for further messages.
    var wantsToRead: Bool { !isAtEnd && (isLingering || (hasRoom && session.wantsToRead)) }
    /// Whether buffered bytes are available that no event will announce.
    var hasEarlyBytes: Bool { !early.isEmpty }
    /// Whether both sides have finished.
    var isOver: Bool { isAtEnd || (isSilent && session.hasReceivedClose) }
    private var isSilent: Bool { !session.wantsToRead && !session.wantsToWrite }
    /// Whether we have closed because of an error by the peer. Further input is discarded until the peer closes as well: a
    /// connection closed with unread bytes is reset, and the peer would not see the reason.
    private var isLingering: Bool { isSilent && !session.hasReceivedClose }

    /// The peer's close code, otherwise ours.
    var closeCode: WebSocketCloseCode {
        session.closeCode.map { WebSocketCloseCode(rawValue: $0) } ?? .abnormal
    }

    /// Whether a close frame has been sent.
    var hasSentClose: Bool { session.hasSentClose }

    /// Processes received data. Returns false if the connection is broken.
    func receive() -> Bool { isLingering ? discard() : session.receive(from: self) }

    /// Sends as much as the socket accepts. Returns false if the connection is broken.
    func send() -> Bool {
        guard session.send(to: self) else { return false }
        if isLingering, !hasShutDown {
            hasShutDown = true
            shutdown(descriptor, Int32(SHUT_WR))
        }
        return true
    }

    private func discard() -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
        defer { buffer.deallocate() }
        early = []
        while true {
            switch read(into: buffer) {
            case .bytes: continue
            case .wouldBlock: return true
            case .failed: return false
            }
        }
    }

    /// Queues a message; false after a close or if memory runs out.
    func queue(_ message: WebSocketMessage) -> Bool {
        switch message {
        case .text(let text): session.queue(text: text)
        case .binary(let bytes): session.queue(binary: bytes)
        }
    }

    func queuePing(_ bytes: [UInt8]) -> Bool { session.queuePing(bytes) }

    /// Queues a close frame; the reason is truncated to fit a control frame.
    func queueClose(_ code: WebSocketCloseCode, reason: String) -> Bool {
        session.queueClose(code: code.rawValue, reason: reason)
    }

    // MARK: Session callbacks

    func read(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketTransfer {
        guard isLingering || hasRoom else { return .wouldBlock }
        if !early.isEmpty {
            let count = min(buffer.count, early.count)
            buffer.copyBytes(from: early.prefix(count))
            early = early.dropFirst(count)
            return .bytes(count)
        }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { break }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { break }
        }
        isAtEnd = true
        return .failed
    }

    func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> WebSocketTransfer {
        while true {
            let more = hasMore ? Int32(MSG_MORE) : 0
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | more)
            if count >= 0 { return .bytes(count) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    func receive(text: String) { take(.text(text)) }

    func receive(binary bytes: [UInt8]) { take(.binary(bytes)) }

    private func take(_ message: WebSocketMessage) {
        received.append(message)
        incomingByteCount += message.cost
    }
}
