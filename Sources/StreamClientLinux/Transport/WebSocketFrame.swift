/// One frame of a WebSocket (RFC 6455 §5.2).
struct WebSocketFrame: Equatable {
    /// The opcode of a frame.
    enum Kind: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    var kind: Kind
    var isLast = true
    var payload: [UInt8]

    /// Returns the frame in wire format, masked as clients must do (§5.3).
    func masked(by key: [UInt8] = (0..<4).map { _ in .random(in: 0...255) }) -> [UInt8] {
        var bytes = [(isLast ? 0x80 : 0) | kind.rawValue]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(0x80 | 127)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        bytes += key
        bytes += payload.enumerated().map { $0.element ^ key[$0.offset & 3] }
        return bytes
    }

    /// Returns a close frame, with the reason truncated to the maximum payload size.
    static func close(_ code: UInt16, _ reason: String) -> WebSocketFrame {
        var text = reason
        while text.utf8.count > 123 { text.removeLast() }
        return WebSocketFrame(kind: .close, payload: [UInt8(code >> 8), UInt8(code & 0xFF)] + text.utf8)
    }
}
