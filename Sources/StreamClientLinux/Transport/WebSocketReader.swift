/// Assembles messages from the bytes sent by a server (RFC 6455 §5).
struct WebSocketReader {
    /// A message from the server.
    enum Message: Equatable {
        case text(String)
        case binary([UInt8])
        case ping([UInt8])
        case pong
        case close(code: UInt16, reason: String)
    }

    /// A protocol violation, with the status code to close with.
    struct Breach: Error, Equatable {
        let code: UInt16
        let reason: String

        static func protocolError(_ reason: String) -> Breach { Breach(code: 1002, reason: reason) }
    }

    /// Maximum size of a message in bytes.
    let limit: Int
    private var bytes: [UInt8] = []
    private var fragments: (kind: WebSocketFrame.Kind, payload: [UInt8])?

    init(limit: Int) { self.limit = limit }

    /// Appends received bytes.
    mutating func append(_ more: [UInt8]) { bytes += more }

    /// Returns the next message; nil if it is not complete yet.
    mutating func next() throws(Breach) -> Message? {
        while let frame = try nextFrame() {
            if frame.kind.isControl { return try control(frame) }
            var whole = frame
            switch (frame.kind, fragments) {
            case (.continuation, let begun?):
                whole.kind = begun.kind
                whole.payload = begun.payload + frame.payload
            case (.continuation, nil): throw .protocolError("continuation frame without a message")
            case (_, nil): break
            default: throw .protocolError("new message before the last one was complete")
            }
            guard whole.payload.count <= limit else { throw Breach(code: 1009, reason: "message too large") }
            guard frame.isLast else {
                fragments = (whole.kind, whole.payload)
                continue
            }
            fragments = nil
            guard whole.kind == .text else { return .binary(whole.payload) }
            return .text(try Self.text(whole.payload))
        }
        return nil
    }

    private func control(_ frame: WebSocketFrame) throws(Breach) -> Message {
        switch frame.kind {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong
        default:
            guard !frame.payload.isEmpty else { return .close(code: 1005, reason: "") }
            guard frame.payload.count >= 2 else { throw .protocolError("truncated close code") }
            let code = UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
            return .close(code: code, reason: try Self.text(Array(frame.payload.dropFirst(2))))
        }
    }

    private static func text(_ bytes: [UInt8]) throws(Breach) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Breach(code: 1007, reason: "invalid UTF-8")
        }
        return text
    }

    private mutating func nextFrame() throws(Breach) -> WebSocketFrame? {
        guard bytes.count >= 2 else { return nil }
        guard bytes[0] & 0x70 == 0, let kind = WebSocketFrame.Kind(rawValue: bytes[0] & 0x0F) else {
            throw .protocolError("unknown frame type")
        }
        guard bytes[1] & 0x80 == 0 else { throw .protocolError("masked frame from the server") }
        let isLast = bytes[0] & 0x80 != 0
        var length = Int(bytes[1])
        var start = 2
        if kind.isControl, !isLast || length > 125 { throw .protocolError("invalid control frame") }
        if length > 125 {
            let count = length == 126 ? 2 : 8
            guard bytes.count >= 2 + count else { return nil }
            let stated = bytes[2..<2 + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard stated <= UInt64(limit) else { throw Breach(code: 1009, reason: "message too large") }
            length = Int(stated)
            start += count
        }
        guard bytes.count >= start + length else { return nil }
        let payload = Array(bytes[start..<start + length])
        bytes.removeFirst(start + length)
        return WebSocketFrame(kind: kind, isLast: isLast, payload: payload)
    }
}
