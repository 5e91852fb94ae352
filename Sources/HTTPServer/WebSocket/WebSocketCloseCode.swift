/// The close code of a WebSocket (RFC 6455 §7.4.1).
package struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    package let rawValue: UInt16

    /// Creates a code from its number.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: normal closure.
    package static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server is stopping, or the page was left.
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: protocol error.
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: unsupported kind of data.
    package static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the peer closed without a code. Never sent.
    package static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection was lost. Never sent.
    package static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: text was not UTF-8.
    package static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// 1008: policy violation.
    package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: message too large.
    package static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1011: internal server error.
    package static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts, or another one serves the client from now on; reconnect.
    package static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded; try again later.
    package static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// Whether the code may be sent in a frame.
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
