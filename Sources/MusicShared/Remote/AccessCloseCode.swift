/// Close codes of all WebSockets, in addition to those of RFC 6455.
public enum AccessCloseCode {
    /// The API key used to open the connection was replaced; the client needs the new one.
    public static let keyReplaced: UInt16 = 4401
}
