internal import StreamClient
internal import WebSockets

/// A client's WebSocket session between buffers: bytes in, messages out, and back. Used under the lock of its owner.
final class MessageBuffer: WebSocketChannel {
    /// The end of a session.
    enum End: Sendable, Equatable {
        /// The server sent a close frame.
        case closed(code: UInt16, reason: String)
        /// The server violated the protocol for the given reason.
        case violation(String)
    }

    let session: WebSocketSession
    private var incoming: ArraySlice<UInt8> = []
    private var outgoing: [UInt8] = []
    private var messages: [WebSocketMessage] = []
    private var hasReceivedBinary = false

    init(_ session: WebSocketSession) { self.session = session }

    /// Processes bytes from the server. Answers to them are added to the output.
    /// - Returns: the end of the session; nil if it continues.
    func receive(_ bytes: [UInt8]) -> End? {
        incoming += bytes
        let isIntact = session.receive(from: self)
        if hasReceivedBinary { _ = session.queueClose(code: 1003, reason: "only text is supported") }
        flush()
        if hasReceivedBinary { return .violation("only text is supported") }
        guard isIntact, !session.wantsToRead else { return nil }
        // The session stops reading after a close frame or a violation, either of which it has answered.
        let code = session.closeCode ?? 1002
        let isViolation = !session.hasReceivedClose || session.isMalformed
        return isViolation
            ? .violation(Self.reason(code)) : .closed(code: code, reason: session.receivedCloseReason)
    }

    private static func reason(_ code: UInt16) -> String {
        switch code {
        case 1007: "invalid UTF-8"
        case 1009: "message too large"
        default: "protocol error"
        }
    }

    /// Returns the bytes to be sent, and removes them.
    func takeOutput() -> [UInt8] {
        flush()
        defer { outgoing = [] }
        return outgoing
    }

    /// Returns the messages received so far, and removes them.
    func takeMessages() -> [WebSocketMessage] {
        defer { messages = [] }
        return messages
    }

    private func flush() { _ = session.send(to: self) }

    // MARK: Session callbacks

    func read(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketTransfer {
        guard !incoming.isEmpty else { return .wouldBlock }
        let count = min(buffer.count, incoming.count)
        buffer.copyBytes(from: incoming.prefix(count))
        incoming = incoming.dropFirst(count)
        return .bytes(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> WebSocketTransfer {
        outgoing += bytes
        return .bytes(bytes.count)
    }

    func receive(text: String) { if !hasReceivedBinary { messages.append(.text(text)) } }

    func receive(binary bytes: [UInt8]) { hasReceivedBinary = true }
}
