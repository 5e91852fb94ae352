/// The close code of a WebSocket (RFC 6455 §7.4.1).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Creates a code from its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: normal closure.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server is stopping, or the page was left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: protocol error.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: unsupported kind of data.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the peer closed without a code. Never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection was lost. Never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: text was not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// 1008: policy violation.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: message too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1011: internal server error.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1013: the server is overloaded; try again later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// Whether the code may be sent in a frame.
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
