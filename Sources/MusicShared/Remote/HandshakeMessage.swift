/// The first message on the remote channel, in both directions: the client's, then the host's.
///
/// If the versions differ, the host sends an error and closes the channel with ``RemoteCloseCode/versionMismatch``.
public struct HandshakeMessage: Codable, Sendable, Equatable {
    /// Version of the protocol that the sender speaks.
    public var protocolVersion: Int
    /// Name and version of the sender's program, for people.
    public var appVersion: String
    /// The host's address outside its network; nil if it has none, and in a client's handshake.
    public var tunnelURL: String?
    /// The form of this message's keys, which applies to the whole connection.
    public var form: RemoteMessageForm

    /// - Parameters:
    ///   - protocolVersion: version of the protocol that the sender speaks.
    ///   - appVersion: name and version of its program.
    ///   - tunnelURL: the host's address outside its network.
    ///   - form: the form of the keys.
    public init(
        protocolVersion: Int = StreamingConstants.protocolVersion, appVersion: String,
        tunnelURL: String? = nil, form: RemoteMessageForm = .snakeCase
    ) {
        self.protocolVersion = protocolVersion
        self.appVersion = appVersion
        self.tunnelURL = tunnelURL
        self.form = form
    }

    private static let protocolVersionKey = RemoteKey("protocol_version", "protocolVersion")
    private static let appVersionKey = RemoteKey("app_version", "appVersion")
    private static let tunnelURLKey = RemoteKey("tunnel_url", "tunnelUrl")

    /// Reads either form; ``form`` is that of the protocol version's key.
    public init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: RemoteKey.Name.self)
        form = message.contains(Self.protocolVersionKey.snakeCase) ? .snakeCase : .derived
        protocolVersion = try message.decode(Self.protocolVersionKey)
        appVersion = try message.decode(Self.appVersionKey)
        tunnelURL = try message.decodeIfPresent(Self.tunnelURLKey)
    }

    /// Writes the message in its ``form``.
    public func encode(to encoder: any Encoder) throws {
        var message = encoder.container(keyedBy: RemoteKey.Name.self)
        try message.encode(protocolVersion, forKey: Self.protocolVersionKey.name(in: form))
        try message.encode(appVersion, forKey: Self.appVersionKey.name(in: form))
        try message.encodeIfPresent(tunnelURL, forKey: Self.tunnelURLKey.name(in: form))
    }
}

/// Codes with which the host closes the remote channel, besides those of RFC 6455.
public enum RemoteCloseCode {
    /// The client speaks another version of the protocol.
    public static let versionMismatch: UInt16 = 4001
    /// The first message was not a handshake, or did not arrive in time.
    public static let handshakeExpected: UInt16 = 4002
}
