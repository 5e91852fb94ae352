/// Why a WebSocket was closed (RFC 6455 §7.4.1).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Makes a code of its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the purpose is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server stops, or the page was left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: a frame broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: a kind of data that is not taken.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: the peer closed without a code. Never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection broke. Never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: text was not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// 1008: against the rules of the application.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message was too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1011: the server failed.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1013: the server cannot keep up; try again later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// Whether the code may stand in a frame.
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
