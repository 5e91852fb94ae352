internal import Crypto
internal import Foundation
internal import HTTPClient
internal import StreamClient
internal import Synchronization

/// The client's end of a WebSocket (RFC 6455) over a connection of libcurl.
final class CurlWebSocket: WebSocketConnection, RawConnectionReceiver {
    private enum Stage {
        case connecting
        case upgrading(head: [UInt8])
        case open(WebSocketReader)
        case over
    }

    private struct State {
        var stage = Stage.connecting
        var connection: RawConnection?
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
    private let output: AsyncThrowingStream<WebSocketMessage, any Error>.Continuation

    let messages: AsyncThrowingStream<WebSocketMessage, any Error>

    /// Opens the connection and starts the handshake.
    init(_ request: TransportRequest, trust: ServerTrust) {
        self.request = request
        (messages, output) = AsyncThrowingStream.makeStream(of: WebSocketMessage.self)
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
        output.onTermination = { [weak self] _ in self?.abandon() }
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

    func send(_ text: String) { send(WebSocketFrame(kind: .text, payload: Array(text.utf8))) }

    func sendPing() { send(WebSocketFrame(kind: .ping, payload: [])) }

    func close(code: UInt16, reason: String) {
        send(.close(code, reason))
        abandon()
        output.finish()
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

    private func send(_ frame: WebSocketFrame) {
        let connection = state.withLock { state in
            if case .open = state.stage { return state.connection }
            return nil
        }
        connection?.send(frame.masked())
    }

    private func fail(_ error: WebSocketError) {
        endHandshake(.failure(error))
        output.finish(throwing: error)
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
        let head = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
        let connection = state.withLock { state in
            if case .connecting = state.stage { state.stage = .upgrading(head: []) }
            state.lastActivity = .now
            return state.connection
        }
        connection?.send(head)
    }

    func connectionReceived(_ bytes: [UInt8]) {
        let stage = state.withLock { state in
            state.lastActivity = .now
            return state.stage
        }
        switch stage {
        case .connecting, .over: break
        case .upgrading(let head): upgrade(head + bytes)
        case .open(var reader):
            reader.append(bytes)
            read(reader)
        }
    }

    private func upgrade(_ head: [UInt8]) {
        guard let end = head.firstRange(of: [13, 10, 13, 10]) else {
            guard head.count < Self.headLimit else { return fail(.rejected(status: nil)) }
            return keep(.upgrading(head: head))
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
        var reader = WebSocketReader(limit: Self.messageLimit)
        reader.append(Array(head[end.upperBound...]))
        keep(.open(reader))
        endHandshake(.success(()))
        read(reader)
    }

    private func keep(_ stage: Stage) {
        state.withLock { state in
            if case .over = state.stage { return }
            state.stage = stage
        }
    }

    private func read(_ reader: WebSocketReader) {
        var reader = reader
        do throws(WebSocketReader.Breach) {
            while let message = try reader.next() {
                switch message {
                case .text(let text): output.yield(.text(text))
                case .binary: throw WebSocketReader.Breach(code: 1003, reason: "only text is supported")
                case .ping(let payload): send(WebSocketFrame(kind: .pong, payload: payload))
                case .pong: break
                case .close(let code, let reason):
                    send(.close(code == 1005 ? 1000 : code, ""))
                    output.yield(.closed(code: code, reason: reason))
                    output.finish()
                    return abandon()
                }
            }
            keep(.open(reader))
        } catch {
            send(.close(error.code, error.reason))
            fail(.violation(error.reason))
        }
    }

    func connectionEnded(_ error: HTTPClientError?) {
        let error =
            error.map(TransportError.init) ?? TransportError(.connectionLost, "The connection was closed.")
        fail(.disconnected(error))
    }
}
