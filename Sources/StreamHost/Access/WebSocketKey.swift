internal import HTTPServer

/// How a page brings the key with a WebSocket: as a second sub-protocol beside the one that is spoken.
///
/// Browsers let a page set no header field of a WebSocket's handshake but this, and a key in the address would end up in logs.
enum WebSocketKey {
    /// The sub-protocol that is spoken, and answered with.
    static let subprotocol = "audio-companion"
    private static let prefix = "audio-companion.key."

    /// The key that a handshake brings, if it does.
    static func offered(by request: HTTPRequest) -> [UInt8]? {
        guard request.fields[.secWebSocketKey] != nil else { return nil }
        return request.fields.values(of: .secWebSocketProtocol).lazy
            .flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(prefix) }
            .map { Array($0.dropFirst(prefix.count).utf8) }
    }
}
