/// Response to `GET /auth`: identifies the host once the key has been accepted.
public struct AuthResponse: Codable, Sendable, Equatable {
    /// Name of the host.
    public var hostName: String
    /// Name and version of the host's program, for people; nil from hosts of an earlier release.
    public var version: String?
    /// Version of the protocol between host and clients.
    public var protocolVersion: Int
    /// Identity of the library that the track IDs belong to; nil from hosts of an earlier release.
    public var libraryID: String?
    /// The account that the request was made with; nil from hosts of an earlier release.
    public var account: Account?

    /// Memberwise initializer.
    public init(
        hostName: String, version: String? = nil, protocolVersion: Int, libraryID: String? = nil,
        account: Account? = nil
    ) {
        self.hostName = hostName
        self.version = version
        self.protocolVersion = protocolVersion
        self.libraryID = libraryID
        self.account = account
    }

    private enum CodingKeys: String, CodingKey {
        case hostName = "host_name"
        case version, account
        case protocolVersion = "protocol_version"
        case libraryID = "library_id"
    }
}

/// Response to `POST /auth/token`: a token to append as `?token=` to the URLs of one track.
public struct TokenResponse: Codable, Sendable, Equatable {
    /// The token.
    public var token: String
    /// Expiry time in seconds since 1970.
    public var expiresAt: Int

    /// Memberwise initializer.
    public init(token: String, expiresAt: Int) {
        self.token = token
        self.expiresAt = expiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case token
        case expiresAt = "expires_at"
    }
}
