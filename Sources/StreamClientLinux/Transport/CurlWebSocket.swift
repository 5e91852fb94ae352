internal import Crypto
internal import Foundation
internal import HTTPClient
internal import StreamClient
internal import Synchronization
internal import WebSockets

/// The client's end of a WebSocket (RFC 6455) over a connection of libcurl.
final class CurlWebSocket: WebSocketConnection, RawConnectionReceiver {
    private enum Stage {
        case connecting
        /// The connection is open.
        case upgrading(head: [UInt8])
        case open(MessageBuffer)
        case over
    }

    private struct State {
        var stage = Stage.connecting
        var connection: RawConnection?
        var hasSentHead = false
        var lastActivity = ContinuousClock.now
        /// The result of the opening handshake; nil while it is going on.
        var handshake: Result<Void, WebSocketError>?
        var waiter: CheckedContinuation<Result<Void, WebSocketError>, Never>?
    }

    /// Maximum size of a message in bytes.
    private static let messageLimit = 1 << 20
    /// Maximum size of the response head in bytes.
    private static let headLimit = 1 << 16

    private let key = WebSocketHandshake.randomKey()
    private let request: TransportRequest
    private let state = Mutex(State())
    private let inbox = MessageInbox()

    let messages: AsyncThrowingStream<WebSocketMessage, any Error>

    /// Opens the connection and starts the handshake.
    init(_ request: TransportRequest, trust: ServerTrust) {
        self.request = request
        let reader = MessageReader(inbox)
        messages = AsyncThrowingStream { try await reader.next() }
        inbox.setHandlers(
            receiving: { [weak self] isReceiving in self?.setReceiving(isReceiving) },
            cancelled: { [weak self] in self?.abandon() })
        var transfer = TransferRequest(address: request.address)
        transfer.connectSeconds = request.timeouts.connect
        transfer.responseSeconds = request.timeouts.response
        trust.apply(to: &transfer)
        let connection = RawConnection(transfer, receiver: self)
        let isOver = state.withLock { state in
            if case .over = state.stage { return true }
            state.connection = connection
            return false
        }
        if isOver { connection.close() }
        // The connection may have opened before it was stored.
        sendHead()
    }

    /// Waits until the handshake is complete.
    func waitUntilOpen() async throws(WebSocketError) {
        let seconds = request.timeouts.response
        let timeout = Task {
            try await Task.sleep(for: .seconds(seconds))
            fail(.disconnected(TransportError(.timedOut, "The host stopped responding.")))
        }
        defer { timeout.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in
                    if state.handshake == nil { state.waiter = continuation }
                    return state.handshake
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            fail(.disconnected(TransportError(.cancelled, "cancelled")))
        }
        try result.get()
    }

    var lastActivity: ContinuousClock.Instant { state.withLock { $0.lastActivity } }

    func send(_ text: String) { queue { $0.queue(text: text) } }

    func sendPing() { queue { $0.queuePing([]) } }

    func close(code: UInt16, reason: String) {
        queue { $0.queueClose(code: code, reason: reason) }
        abandon()
        inbox.end(nil)
    }

    private func setReceiving(_ isReceiving: Bool) {
        state.withLock { $0.connection }?.setReceiving(isReceiving)
    }

    private func abandon() {
        let connection = state.withLock { state in
            state.stage = .over
            let connection = state.connection
            state.connection = nil
            return connection
        }
        connection?.close()
    }

    /// Queues a frame and sends it; does nothing before the socket is open.
    private func queue(_ add: (WebSocketSession) -> Bool) {
        let isAccepted = state.withLock { state in
            guard case .open(let buffer) = state.stage, add(buffer.session) else { return true }
            // Under the lock, so that frames keep their order.
            return state.connection?.send(buffer.takeOutput()) ?? true
        }
        if !isAccepted { failSending() }
    }

    private func failSending() {
        fail(.disconnected(TransportError(.timedOut, "The host does not read what it is sent.")))
    }

    private func fail(_ error: WebSocketError) {
        endHandshake(.failure(error))
        inbox.end(error)
        abandon()
    }

    /// Does nothing if the handshake has ended before.
    private func endHandshake(_ result: Result<Void, WebSocketError>) {
        let waiter = state.withLock { state in
            if state.handshake == nil { state.handshake = result }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    // MARK: Connection callbacks

    func connectionOpened() {
        state.withLock { state in
            if case .connecting = state.stage { state.stage = .upgrading(head: []) }
            state.lastActivity = .now
        }
        sendHead()
    }

    /// Sends the request of the handshake once, as soon as the connection is both open and stored.
    private func sendHead() {
        let connection = state.withLock { state -> RawConnection? in
            guard case .upgrading = state.stage, !state.hasSentHead, let connection = state.connection else {
                return nil
            }
            state.hasSentHead = true
            return connection
        }
        connection?.send(requestHead())
    }

    private func requestHead() -> [UInt8] {
        let afterScheme = request.address.range(of: "://").map { request.address[$0.upperBound...] } ?? ""
        let authority = afterScheme.prefix { $0 != "/" && $0 != "?" }
        let path = afterScheme.dropFirst(authority.count)
        var lines = [
            "GET \(path.isEmpty ? "/" : path) HTTP/1.1", "Host: \(authority)", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
        ]
        lines += request.fields.all.filter { field in
            !field.value.utf8.contains { $0 == 10 || $0 == 13 }
        }.map { "\($0.name): \($0.value)" }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }

    func connectionReceived(_ bytes: [UInt8]) {
        let head = state.withLock { state -> [UInt8]? in
            state.lastActivity = .now
            if case .upgrading(let head) = state.stage { return head }
            return nil
        }
        if let head { upgrade(head + bytes) } else { read(bytes) }
    }

    private func upgrade(_ head: [UInt8]) {
        guard let end = head.firstRange(of: [13, 10, 13, 10]) else {
            guard head.count < Self.headLimit else { return fail(.rejected(status: nil)) }
            return state.withLock { state in
                if case .upgrading = state.stage { state.stage = .upgrading(head: head) }
            }
        }
        let lines = String(decoding: head[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        let status = words.count > 1 ? Int(words[1]) : nil
        let fields = TransportFields(
            lines.dropFirst().compactMap { line -> (String, String)? in
                let parts = line.split(separator: ":", maxSplits: 1)
                return parts.count == 2 ? (String(parts[0]), parts[1].drop { $0 == " " }.description) : nil
            })
        guard status == 101, fields["sec-websocket-accept"] == WebSocketHandshake.acceptance(of: key) else {
            return fail(.rejected(status: status == 101 ? nil : status))
        }
        let isOpen = state.withLock { state in
            guard case .upgrading = state.stage,
                let session = WebSocketSession(.client, messageLimit: Self.messageLimit)
            else { return false }
            state.stage = .open(MessageBuffer(session))
            return true
        }
        guard isOpen else { return fail(.disconnected(TransportError(.unreachable, "out of memory"))) }
        endHandshake(.success(()))
        read(Array(head[end.upperBound...]))
    }

    private func read(_ bytes: [UInt8]) {
        let (messages, end, isAccepted) = state.withLock {
            state -> ([WebSocketMessage], MessageBuffer.End?, Bool) in
            guard case .open(let buffer) = state.stage else { return ([], nil, true) }
            let end = buffer.receive(bytes)
            let isAccepted = state.connection?.send(buffer.takeOutput()) ?? true
            return (buffer.takeMessages(), end, isAccepted)
        }
        inbox.add(messages)
        switch end {
        case nil: if !isAccepted { failSending() }
        case .closed(let code, let reason)?:
            inbox.add([.closed(code: code, reason: reason)])
            inbox.end(nil)
            abandon()
        case .violation(let reason)?: fail(.violation(reason))
        }
    }

    func connectionEnded(_ error: HTTPClientError?) {
        let error =
            error.map(TransportError.init) ?? TransportError(.connectionLost, "The connection was closed.")
        fail(.disconnected(error))
    }
}
