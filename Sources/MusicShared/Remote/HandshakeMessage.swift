/// The first message on the remote channel, in both directions: the client's, then the host's.
///
/// They talk only if ``protocolVersion`` is the same; else the host says so and closes with
/// ``RemoteCloseCode/versionMismatch``.
public struct HandshakeMessage: Codable, Sendable, Equatable {
    /// Version of the protocol that the sender speaks.
    public var protocolVersion: Int
    /// Name and version of the sender's program, as people read it.
    public var appVersion: String

    /// The host's address for clients outside of its network, where it has one; clients leave it out.
    public var tunnelUrl: String?

    /// Puts the parts together.
    public init(
        protocolVersion: Int = StreamingConstants.protocolVersion, appVersion: String,
        tunnelUrl: String? = nil
    ) {
        self.protocolVersion = protocolVersion
        self.appVersion = appVersion
        self.tunnelUrl = tunnelUrl
    }
}

/// Why the host closed the remote channel, beside the codes of RFC 6455.
public enum RemoteCloseCode {
    /// The client speaks another version of the protocol.
    public static let versionMismatch: UInt16 = 4001
    /// The first message was no handshake, or did not come in time.
    public static let handshakeExpected: UInt16 = 4002
}
