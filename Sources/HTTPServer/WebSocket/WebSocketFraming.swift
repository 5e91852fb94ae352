internal import CWslay
internal import Glibc

/// Wraps wslay's context for a connection: reads and writes frames on a descriptor.
///
/// @unchecked: only used under the lock of the `WebSocket` that owns it.
final class WebSocketFraming: @unchecked Sendable {
    private var context: wslay_event_context_ptr?
    private let descriptor: Int32
    // Bytes that the client sent directly after its handshake.
    private var early: ArraySlice<UInt8>
    private let incomingLimit: Int
    private let outgoingLimit: Int
    // wslay queues a pong for each ping itself, regardless of the policy for messages.
    private static let replyAllowance = 64 << 10

    /// Messages that have been received completely.
    var received: [WebSocketMessage] = []
    /// Number of bytes of messages received but not yet read by the application.
    var incomingByteCount = 0
    /// Whether anything, including a pong, has been received since this was last reset.
    var hasHeard = false
    /// Whether the peer has closed its side of the connection.
    private(set) var isAtEnd = false
    // wslay could not parse a frame header.
    private var isMalformed = false
    private var hasShutDown = false

    init(descriptor: Int32, early: [UInt8], options: WebSocketOptions) throws(HTTPServerError) {
        self.descriptor = descriptor
        self.early = early[...]
        incomingLimit = options.incomingLimit
        outgoingLimit = options.outgoingLimit
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = receiveBytes
        callbacks.send_callback = sendBytes
        callbacks.on_msg_recv_callback = messageHasArrived
        // Not retained: the context is freed together with this object.
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard wslay_event_context_server_init(&self.context, &callbacks, context) == 0 else {
            throw HTTPServerError(.cannotStart, "out of memory")
        }
        wslay_event_config_set_max_recv_msg_length(self.context, UInt64(max(0, options.messageLimit)))
    }

    deinit { wslay_event_context_free(context) }

    /// Number of bytes waiting to be sent, including the overhead per message.
    var outgoingByteCount: Int {
        wslay_event_get_queued_msg_length(context)
            + wslay_event_get_queued_msg_count(context) * WebSocketMessage.overhead
    }
    /// Whether there is space for more input and the replies it causes.
    private var hasRoom: Bool {
        incomingByteCount < incomingLimit && outgoingByteCount < outgoingLimit + Self.replyAllowance
    }
    /// Whether frames are waiting to be sent.
    var wantsToWrite: Bool { wslay_event_want_write(context) != 0 }
    /// Whether there is space for further messages.
    var wantsToRead: Bool {
        !isAtEnd
            && (isLingering || (hasRoom && wslay_event_want_read(context) != 0))
    }
    /// Whether buffered bytes are available that no event will announce.
    var hasEarlyBytes: Bool { !early.isEmpty }
    /// Whether both sides have finished.
    var isOver: Bool {
        isAtEnd || (isSilent && wslay_event_get_close_received(context) != 0)
    }
    private var isSilent: Bool { wslay_event_want_read(context) == 0 && wslay_event_want_write(context) == 0 }
    /// Whether we have closed because of an error by the peer. Further input is discarded until the peer closes as well: a
    /// connection closed with unread bytes is reset, and the peer would not see the reason.
    private var isLingering: Bool { isSilent && wslay_event_get_close_received(context) == 0 }

    /// The peer's close code, otherwise ours.
    var closeCode: WebSocketCloseCode {
        if isMalformed { return .protocolError }
        if wslay_event_get_close_received(context) != 0 {
            return WebSocketCloseCode(rawValue: wslay_event_get_status_code_received(context))
        }
        if wslay_event_get_close_sent(context) != 0 {
            return WebSocketCloseCode(rawValue: wslay_event_get_status_code_sent(context))
        }
        return .abnormal
    }

    /// Whether a close frame has been sent.
    var hasSentClose: Bool { wslay_event_get_close_sent(context) != 0 }

    /// Processes received data. Returns false if the connection is broken.
    func receive() -> Bool {
        if isLingering { return discard() }
        if wslay_event_recv(context) == 0 { return true }
        // If our callback did not fail, the frame header is invalid: wslay has queued a close frame that must be sent.
        if !isAtEnd { isMalformed = true }
        return !isAtEnd
    }

    /// Sends as much as the socket accepts. Returns false if the connection is broken.
    func send() -> Bool {
        guard wslay_event_send(context) == 0 else { return false }
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
            let count = read(buffer)
            if count < 0 { return count == Self.wouldBlock }
        }
    }

    /// Queues a message; false after a close or if memory runs out.
    func queue(_ message: WebSocketMessage) -> Bool {
        switch message {
        case .text(let text):
            var text = text
            return text.withUTF8 { queue(UInt8(WSLAY_TEXT_FRAME.rawValue), $0) }
        case .binary(let bytes):
            return bytes.withUnsafeBufferPointer { queue(UInt8(WSLAY_BINARY_FRAME.rawValue), $0) }
        }
    }

    func queuePing(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { queue(UInt8(WSLAY_PING.rawValue), $0) }
    }

    private func queue(_ opcode: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var message = wslay_event_msg(opcode: opcode, msg: bytes.baseAddress, msg_length: bytes.count)
        // wslay copies the message.
        return wslay_event_queue_msg(context, &message) == 0
    }

    /// Queues a close frame; the reason is truncated to fit a control frame.
    func queueClose(_ code: WebSocketCloseCode, reason: String) -> Bool {
        var bytes = Array(reason.utf8.prefix(123))
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        return wslay_event_queue_close(context, code.rawValue, bytes, bytes.count) == 0
    }

    // MARK: wslay callbacks

    fileprivate func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard isLingering || hasRoom else { return Self.wouldBlock }
        if !early.isEmpty {
            let count = min(buffer.count, early.count)
            buffer.copyBytes(from: early.prefix(count))
            early = early.dropFirst(count)
            return count
        }
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return count }
            if count == 0 { break }
            if errno == EAGAIN || errno == EWOULDBLOCK { return Self.wouldBlock }
            if errno != EINTR { break }
        }
        isAtEnd = true
        return Self.failure
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> Int {
        // wslay closes without a code after an invalid frame header; RFC 6455 §7.1.7 requires 1002.
        if isMalformed, bytes.elementsEqual([0x88, 0]) {
            return write([0x88, 2, 0x03, 0xEA], as: 2)
        }
        while true {
            let more = hasMore ? Int32(MSG_MORE) : 0
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | more)
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK { return Self.wouldBlock }
            if errno != EINTR { return Self.failure }
        }
    }

    /// Writes the bytes, completely or not at all, in place of `count` others.
    private func write(_ bytes: [UInt8], as count: Int) -> Int {
        let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        if sent == bytes.count { return count }
        return sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? Self.wouldBlock : Self.failure
    }

    fileprivate func take(_ opcode: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) {
        hasHeard = true
        // wslay accepts a close frame with a truncated code.
        if UInt32(opcode) == WSLAY_CONNECTION_CLOSE.rawValue, bytes.count == 1 { isMalformed = true }
        let message: WebSocketMessage
        switch UInt32(opcode) {
        case WSLAY_TEXT_FRAME.rawValue:
            // wslay has validated the UTF-8.
            message = .text(String(decoding: bytes, as: UTF8.self))
        case WSLAY_BINARY_FRAME.rawValue: message = .binary(Array(bytes))
        default: return
        }
        received.append(message)
        incomingByteCount += message.cost
    }

    static let wouldBlock = -1
    static let failure = -2
}

private func framing(_ context: UnsafeMutableRawPointer?) -> WebSocketFraming? {
    context.map { Unmanaged<WebSocketFraming>.fromOpaque($0).takeUnretainedValue() }
}

private func result(_ count: Int, _ wslay: wslay_event_context_ptr?) -> Int {
    if count >= 0 { return count }
    let isBlocked = count == WebSocketFraming.wouldBlock
    wslay_event_set_error(
        wslay, isBlocked ? WSLAY_ERR_WOULDBLOCK.rawValue : WSLAY_ERR_CALLBACK_FAILURE.rawValue)
    return -1
}

private func receiveBytes(
    _ wslay: wslay_event_context_ptr?, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ flags: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
    return result(framing(context)?.read(target) ?? WebSocketFraming.failure, wslay)
}

private func sendBytes(
    _ wslay: wslay_event_context_ptr?, _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ flags: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let hasMore = UInt32(bitPattern: flags) & WSLAY_MSG_MORE.rawValue != 0
    let source = UnsafeRawBufferPointer(start: bytes, count: count)
    return result(framing(context)?.write(source, hasMore: hasMore) ?? WebSocketFraming.failure, wslay)
}

private func messageHasArrived(
    _ wslay: wslay_event_context_ptr?, _ message: UnsafePointer<wslay_event_on_msg_recv_arg>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let message else { return }
    framing(context)?.take(
        message.pointee.opcode,
        UnsafeBufferPointer(start: message.pointee.msg, count: message.pointee.msg_length))
}
