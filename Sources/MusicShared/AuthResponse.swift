/// Answer to `GET /auth`: the key is right, and this is who answers.
public struct AuthResponse: Codable, Sendable, Equatable {
    /// Name of the host.
    public var hostName: String
    /// Version of the protocol between host and clients.
    public var protocolVersion: Int

    /// Puts the parts together.
    public init(hostName: String, protocolVersion: Int) {
        self.hostName = hostName
        self.protocolVersion = protocolVersion
    }

    private enum CodingKeys: String, CodingKey {
        case hostName = "host_name"
        case protocolVersion = "protocol_version"
    }
}

/// Answer to `POST /auth/token`: what to append as `?token=` to the addresses of one track.
public struct TokenResponse: Codable, Sendable, Equatable {
    /// The token.
    public var token: String
    /// Until when it holds, in seconds since 1970.
    public var expires: Int

    /// Puts the parts together.
    public init(token: String, expires: Int) {
        self.token = token
        self.expires = expires
    }
}
