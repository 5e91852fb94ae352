internal import Crypto
internal import Foundation
internal import HTTPClient
internal import Synchronization

/// A client's end of a WebSocket (RFC 6455).
final class RemoteSocket: RawConnectionReceiver {
    /// A message from the server.
    enum Message: Sendable, Equatable {
        case text(String)
        /// The server closed the connection with a close frame.
        case closed(code: UInt16, reason: String)
    }

    private enum Stage {
        case connecting
        case upgrading(head: [UInt8])
        case open(WebSocketReader)
        case over
    }

    private struct State {
        var stage = Stage.connecting
        var connection: RawConnection?
        var lastSign = ContinuousClock.now
    }

    /// Maximum size of a message in bytes.
    private static let messageLimit = 1 << 20
    /// Maximum size of the response head in bytes.
    private static let headLimit = 1 << 16

    private let key = WebSocketHandshake.randomKey()
    private let request: TransportRequest
    private let state = Mutex(State())
    private let output: AsyncThrowingStream<Message, any Error>.Continuation

    /// The messages from the server. Ends after ``Message/closed(code:reason:)``; throws a ``ClientError`` if the handshake
    /// fails or the connection is lost.
    let messages: AsyncThrowingStream<Message, any Error>

    /// Opens the socket.
    init(_ request: TransportRequest, trust: ServerTrust) {
        self.request = request
        (messages, output) = AsyncThrowingStream.makeStream(of: Message.self)
        var transfer = TransferRequest(address: request.address)
        transfer.connectSeconds = request.timeouts.connect
        transfer.responseSeconds = request.timeouts.response
        trust.apply(to: &transfer)
        let connection = RawConnection(transfer, receiver: self)
        state.withLock { $0.connection = connection }
        output.onTermination = { [weak self] _ in self?.abandon() }
    }

    /// The time at which data from the server last arrived.
    var lastSign: ContinuousClock.Instant { state.withLock { $0.lastSign } }

    /// Sends a text message; does nothing before the socket is open.
    func send(_ text: String) { send(WebSocketFrame(kind: .text, payload: Array(text.utf8))) }

    /// Sends a ping.
    func ping() { send(WebSocketFrame(kind: .ping, payload: [])) }

    /// Sends a close frame and closes the connection.
    func close(_ code: UInt16 = 1000, reason: String = "") {
        send(.close(code, reason))
        abandon()
        output.finish()
    }

    /// Treats the connection as lost and closes it.
    func lose() { fail(ClientError(TransportError(.timedOut, "The host stopped responding."))) }

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

    private func fail(_ error: ClientError) {
        output.finish(throwing: error)
        abandon()
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
            state.lastSign = .now
            return state.connection
        }
        connection?.send(head)
    }

    func connectionReceived(_ bytes: [UInt8]) {
        let stage = state.withLock { state in
            state.lastSign = .now
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
            guard head.count < Self.headLimit else {
                return fail(ClientError(.notAHost, "The response is not a WebSocket handshake."))
            }
            return keep(.upgrading(head: head))
        }
        let lines = String(decoding: head[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        let status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let fields = TransportFields(
            lines.dropFirst().compactMap { line -> (String, String)? in
                let parts = line.split(separator: ":", maxSplits: 1)
                return parts.count == 2 ? (String(parts[0]), parts[1].drop { $0 == " " }.description) : nil
            })
        switch status {
        case 101 where fields["sec-websocket-accept"] == WebSocketHandshake.acceptance(of: key):
            var reader = WebSocketReader(limit: Self.messageLimit)
            reader.append(Array(head[end.upperBound...]))
            keep(.open(reader))
            output.yield(.text(Self.opening))
            read(reader)
        case 401, 403: fail(ClientError(.unauthorized, "The host rejected the API key.", status: status))
        case 429, 500...: fail(ClientError(.refused, "The host returned status \(status).", status: status))
        default: fail(ClientError(.notAHost, "The response is not a WebSocket handshake.", status: status))
        }
    }

    /// Marks in ``messages`` that the socket is now open.
    static let opening = ""

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
            fail(ClientError(.notAHost, "The host violated the WebSocket protocol: \(error.reason)."))
        }
    }

    func connectionEnded(_ error: HTTPClientError?) {
        let error =
            error.map(TransportError.init) ?? TransportError(.connectionLost, "The connection was closed.")
        fail(ClientError(error))
    }
}
