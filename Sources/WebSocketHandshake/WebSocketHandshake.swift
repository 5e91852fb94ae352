/// What both ends of a WebSocket compute as it is opened (RFC 6455 §1.3).
public enum WebSocketHandshake {
    /// What a server answers in `Sec-WebSocket-Accept` to a client's `Sec-WebSocket-Key`.
    public static func acceptance(of key: String) -> String {
        base64(sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    }

    /// A client's key: sixteen bytes at random.
    public static func randomKey() -> String {
        base64((0..<16).map { _ in UInt8.random(in: 0...255) })
    }
}
