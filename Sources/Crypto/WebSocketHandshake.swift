internal import Foundation

/// The values that both ends of a WebSocket compute for the opening handshake (RFC 6455 §1.3).
package enum WebSocketHandshake {
    /// Returns a server's `Sec-WebSocket-Accept` for a client's `Sec-WebSocket-Key`.
    package static func acceptance(of key: String) -> String {
        Data(Digest.sha1.bytes(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
            .base64EncodedString()
    }

    /// Creates a client's key: sixteen random bytes.
    package static func randomKey() -> String {
        Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    }
}
