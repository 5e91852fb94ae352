package import HTTPServer

/// Reads the API key that a page sends with a WebSocket handshake, as a second sub-protocol.
///
/// Browsers let a page set no other header field of the handshake, and a key in the URL would end up in logs.
package enum WebSocketKey {
    /// The sub-protocol that the host selects.
    package static let subprotocol = "audio-companion"
    private static let prefix = "audio-companion.key."

    /// Returns the key sent with a handshake, if any.
    package static func offered(by request: HTTPRequest) -> [UInt8]? {
        guard request.fields[.secWebSocketKey] != nil else { return nil }
        return request.fields.values(of: .secWebSocketProtocol).lazy
            .flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(prefix) }
            .map { Array($0.dropFirst(prefix.count).utf8) }
    }
}
