internal import CWslay

/// One end of a WebSocket after the opening handshake (RFC 6455): turns the bytes of a ``WebSocketChannel`` into messages and back.
/// Answers pings and close frames. Owns one event context of wslay.
///
/// @unchecked: only used under the lock of its owner.
package final class WebSocketSession: @unchecked Sendable {
    /// The end that the session is for: clients mask what they send (RFC 6455 §5.3).
    package enum Role: Sendable {
        case server
        case client
    }

    private var context: wslay_event_context_ptr?
    /// Set during a call of wslay.
    private var channel: (any WebSocketChannel)?
    /// Whether the channel has failed in the last call.
    private var channelHasFailed = false
    /// Whether the peer has sent a malformed frame.
    package private(set) var isMalformed = false
    private let role: Role
    /// Whether any frame, including a pong, has been received since this was last reset.
    package var hasHeard = false
    /// The text of the peer's close frame.
    package private(set) var receivedCloseReason = ""
    /// A close frame that is queued once all messages are sent.
    private var waitingClose: (code: UInt16, reason: [UInt8])?

    /// Creates a session; nil if there is not enough memory.
    /// - Parameter messageLimit: maximum size of a received message in bytes; a larger one closes the session with 1009.
    package init?(_ role: Role, messageLimit: Int) {
        self.role = role
        var callbacks = wslay_event_callbacks()
        callbacks.recv_callback = receiveBytes
        callbacks.send_callback = sendBytes
        callbacks.genmask_callback = makeMask
        callbacks.on_msg_recv_callback = messageHasArrived
        // Not retained: the context is freed together with this object.
        let object = Unmanaged.passUnretained(self).toOpaque()
        let status =
            switch role {
            case .server: wslay_event_context_server_init(&context, &callbacks, object)
            case .client: wslay_event_context_client_init(&context, &callbacks, object)
            }
        guard status == 0 else { return nil }
        wslay_event_config_set_max_recv_msg_length(context, UInt64(max(0, messageLimit)))
    }

    deinit { wslay_event_context_free(context) }

    /// Number of bytes of messages waiting to be sent.
    package var queuedByteCount: Int { wslay_event_get_queued_msg_length(context) }
    /// Number of messages waiting to be sent.
    package var queuedMessageCount: Int { wslay_event_get_queued_msg_count(context) }
    /// Whether frames are waiting to be sent.
    package var wantsToWrite: Bool { wslay_event_want_write(context) != 0 }
    /// Whether more frames are expected: not after a close frame in either direction or a violation by the peer.
    package var wantsToRead: Bool { wslay_event_want_read(context) != 0 }
    /// Whether the peer has sent a close frame.
    package var hasReceivedClose: Bool { wslay_event_get_close_received(context) != 0 }
    /// Whether a close frame has been sent.
    package var hasSentClose: Bool { wslay_event_get_close_sent(context) != 0 }

    /// The peer's close code, otherwise ours; nil if neither has closed. 1002 after a malformed frame.
    package var closeCode: UInt16? {
        if isMalformed { return 1002 }
        if hasReceivedClose { return wslay_event_get_status_code_received(context) }
        return hasSentClose ? wslay_event_get_status_code_sent(context) : nil
    }

    /// Processes the bytes that the channel has. Answers to them are queued.
    /// - Returns: false if the channel has failed.
    package func receive(from channel: any WebSocketChannel) -> Bool {
        let status = call(with: channel) { wslay_event_recv(context) }
        if status == 0 { return true }
        // If the channel did not fail, the frame header is invalid: wslay has queued a close frame that must be sent.
        if !channelHasFailed { isMalformed = true }
        return !channelHasFailed
    }

    /// Sends as much as the channel accepts.
    /// - Returns: false if the channel has failed.
    package func send(to channel: any WebSocketChannel) -> Bool {
        guard call(with: channel, { wslay_event_send(context) }) == 0 else { return false }
        guard let close = waitingClose, !wantsToWrite else { return true }
        waitingClose = nil
        _ = wslay_event_queue_close(context, close.code, close.reason, close.reason.count)
        return call(with: channel) { wslay_event_send(context) } == 0
    }

    private func call(with channel: any WebSocketChannel, _ body: () -> Int32) -> Int32 {
        self.channel = channel
        channelHasFailed = false
        defer { self.channel = nil }
        return body()
    }

    /// Queues a text message.
    /// - Returns: false after a close or if memory runs out.
    package func queue(text: String) -> Bool {
        var text = text
        return text.withUTF8 { queue(WSLAY_TEXT_FRAME, $0) }
    }

    /// Queues a binary message.
    /// - Returns: false after a close or if memory runs out.
    package func queue(binary bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { queue(WSLAY_BINARY_FRAME, $0) }
    }

    /// Queues a ping with at most 125 bytes.
    /// - Returns: false after a close or if memory runs out.
    package func queuePing(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { queue(WSLAY_PING, $0) }
    }

    private func queue(_ opcode: wslay_opcode, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard waitingClose == nil else { return false }
        var message = wslay_event_msg(
            opcode: UInt8(opcode.rawValue), msg: bytes.baseAddress, msg_length: bytes.count)
        // wslay copies the message.
        return wslay_event_queue_msg(context, &message) == 0
    }

    /// Queues a close frame behind all messages; the reason is truncated to fit a control frame.
    /// - Returns: false after a close or if memory runs out.
    package func queueClose(code: UInt16, reason: String) -> Bool {
        guard waitingClose == nil else { return false }
        var bytes = Array(reason.utf8.prefix(123))
        while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
        // wslay sends control frames before messages, and nothing after a close frame.
        guard !wantsToWrite else {
            guard wslay_event_get_write_enabled(context) != 0 else { return false }
            waitingClose = (code, bytes)
            return true
        }
        return wslay_event_queue_close(context, code, bytes, bytes.count) == 0
    }

    // MARK: wslay callbacks

    fileprivate func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        result(channel?.read(into: buffer) ?? .failed)
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> Int {
        if isMalformed, let frame = Self.closeFrame(insteadOf: bytes, role) {
            // Completely or not at all.
            switch frame.withUnsafeBytes({ channel?.write($0, hasMore: false) }) ?? .failed {
            case .bytes(frame.count): return bytes.count
            case .bytes, .failed: return result(.failed)
            case .wouldBlock: return result(.wouldBlock)
            }
        }
        return result(channel?.write(bytes, hasMore: hasMore) ?? .failed)
    }

    /// Returns a close frame with code 1002 instead of one without a code, which wslay sends after an invalid frame header;
    /// RFC 6455 §7.1.7 requires a code. Nil if the bytes are something else.
    private static func closeFrame(insteadOf bytes: UnsafeRawBufferPointer, _ role: Role) -> [UInt8]? {
        switch role {
        case .server: return bytes.elementsEqual([0x88, 0]) ? [0x88, 2, 0x03, 0xEA] : nil
        case .client:
            guard bytes.count == 6, bytes.prefix(2).elementsEqual([0x88, 0x80]) else { return nil }
            return [0x88, 0x82] + bytes[2..<6] + [0x03 ^ bytes[2], 0xEA ^ bytes[3]]
        }
    }

    private func result(_ transfer: WebSocketTransfer) -> Int {
        switch transfer {
        case .bytes(let count): return count
        case .wouldBlock: wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
        case .failed:
            channelHasFailed = true
            wslay_event_set_error(context, WSLAY_ERR_CALLBACK_FAILURE.rawValue)
        }
        return -1
    }

    fileprivate func take(_ opcode: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) {
        hasHeard = true
        switch UInt32(opcode) {
        // wslay has validated the UTF-8.
        case WSLAY_TEXT_FRAME.rawValue: channel?.receive(text: String(decoding: bytes, as: UTF8.self))
        case WSLAY_BINARY_FRAME.rawValue: channel?.receive(binary: Array(bytes))
        case WSLAY_CONNECTION_CLOSE.rawValue:
            // wslay accepts a close frame with a truncated code.
            if bytes.count == 1 { isMalformed = true }
            receivedCloseReason = String(decoding: bytes.dropFirst(2), as: UTF8.self)
        default: break
        }
    }
}

private func session(_ context: UnsafeMutableRawPointer?) -> WebSocketSession? {
    context.map { Unmanaged<WebSocketSession>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBytes(
    _ wslay: wslay_event_context_ptr?, _ buffer: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
    _ flags: Int32, _ context: UnsafeMutableRawPointer?
) -> Int {
    session(context)?.read(UnsafeMutableRawBufferPointer(start: buffer, count: capacity)) ?? -1
}

private func sendBytes(
    _ wslay: wslay_event_context_ptr?, _ bytes: UnsafePointer<UInt8>?, _ count: Int, _ flags: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    let hasMore = UInt32(bitPattern: flags) & WSLAY_MSG_MORE.rawValue != 0
    return session(context)?.write(UnsafeRawBufferPointer(start: bytes, count: count), hasMore: hasMore) ?? -1
}

private func makeMask(
    _ wslay: wslay_event_context_ptr?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    for index in 0..<count { buffer?[index] = .random(in: 0...255) }
    return 0
}

private func messageHasArrived(
    _ wslay: wslay_event_context_ptr?, _ message: UnsafePointer<wslay_event_on_msg_recv_arg>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let message else { return }
    session(context)?.take(
        message.pointee.opcode,
        UnsafeBufferPointer(start: message.pointee.msg, count: message.pointee.msg_length))
}
