internal import Crypto

/// Handles a WebSocket in place of another handler, which it gets.
package typealias WebSocketHandlerWrapper =
    @Sendable (HTTPRequest, WebSocket, @escaping WebSocketHandler) async throws -> Void

/// Handles a WebSocket. When it returns, the socket is closed with 1000; when it throws, with 1011.
package typealias WebSocketHandler = @Sendable (HTTPRequest, WebSocket) async throws -> Void

/// The upgrade of a connection to a WebSocket (RFC 6455 §4.2).
package struct WebSocketUpgrade: ConnectionUpgrade {
    let request: HTTPRequest
    let options: WebSocketOptions
    let handler: WebSocketHandler

    /// Checks the client's handshake and returns the response that switches protocols.
    ///
    /// - Throws: ``HTTPError``: 426 if the request is not for a WebSocket of version 13, 400 if the key is malformed.
    package static func response(
        to request: HTTPRequest, options: WebSocketOptions = WebSocketOptions(),
        handler: @escaping WebSocketHandler
    ) throws(HTTPError) -> HTTPResponse {
        let fields = request.fields
        guard request.method == .get, fields.containsToken("websocket", in: .upgrade),
            fields.containsToken("upgrade", in: .connection)
        else {
            throw HTTPError(
                .upgradeRequired, code: "websocket_required", message: "This path only supports WebSocket.",
                fields: [.upgrade: "websocket", .connection: "Upgrade"])
        }
        guard fields[.secWebSocketVersion] == "13" else {
            throw HTTPError(
                .upgradeRequired, code: "websocket_version", message: "Only version 13 is supported.",
                fields: [.secWebSocketVersion: "13"])
        }
        // Sixteen bytes in Base64: 22 digits and two padding characters.
        guard let key = fields[.secWebSocketKey], key.utf8.count == 24, key.hasSuffix("=="),
            key.utf8.dropLast(2).allSatisfy(isBase64Digit)
        else {
            throw HTTPError(
                .badRequest, code: "websocket_key", message: "Sec-WebSocket-Key is malformed.",
                field: "Sec-WebSocket-Key")
        }
        var response = HTTPResponse(
            .switchingProtocols,
            fields: [
                .upgrade: "websocket",
                .secWebSocketAccept: WebSocketHandshake.acceptance(of: key),
            ],
            body: .webSocket(WebSocketUpgrade(request: request, options: options, handler: handler)))
        let offered = fields.values(of: .secWebSocketProtocol).flatMap { $0.split(separator: ",") }
            .map { String($0.trimmingWhitespace()) }
        if let chosen = options.subprotocols.first(where: { offered.contains($0) }) {
            response.fields[.secWebSocketProtocol] = chosen
        }
        return response
    }

    private static func isBase64Digit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

extension HTTPResponse {
    /// Returns the response with another handler of its WebSocket, which gets the original one. Responses without a WebSocket are
    /// returned unchanged.
    package func replacingWebSocketHandler(
        by handler: @escaping WebSocketHandlerWrapper
    ) -> HTTPResponse {
        guard case .webSocket(let body) = body, let upgrade = body as? WebSocketUpgrade else { return self }
        let original = upgrade.handler
        var changed = self
        changed.body = .webSocket(
            WebSocketUpgrade(request: upgrade.request, options: upgrade.options) {
                try await handler($0, $1, original)
            })
        return changed
    }
}

extension RouteCollection {
    /// Adds a route whose connections become WebSockets. Middleware may reject them first.
    package func webSocket(
        _ path: String, options: WebSocketOptions = WebSocketOptions(), handler: @escaping WebSocketHandler
    ) {
        get(path) { try WebSocketUpgrade.response(to: $0, options: options, handler: handler) }
    }
}
