/// An address at which the host can be reached.
public struct ReachableAddress: Codable, Sendable, Equatable {
    /// How an address reaches the host.
    public enum Kind: String, Codable, Sendable, Equatable, CaseIterable {
        /// Within the local network.
        case network
        /// From anywhere, through the host's tunnel.
        case tunnel
    }

    /// The URL, without a slash at its end.
    public var url: String
    /// How it reaches the host.
    public var kind: Kind

    /// Memberwise initializer.
    public init(url: String, kind: Kind) {
        self.url = url
        self.kind = kind
    }
}

/// An app password without the secret.
public struct AppPasswordItem: Codable, Sendable, Equatable {
    /// ID of the app password.
    public var id: String
    /// Name of the app.
    public var name: String
    /// When it was created, in seconds since 1970.
    public var createdAt: Double
    /// When it was last used, in seconds since 1970, to within ten minutes; nil if never.
    public var lastUsedAt: Double?

    /// Memberwise initializer.
    public init(id: String, name: String, createdAt: Double, lastUsedAt: Double?) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, name
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
    }
}

/// The app passwords of an account, and what else an app needs to sign in.
public struct AppPasswordList: Codable, Sendable, Equatable {
    /// The user name that apps sign in with.
    public var user: String
    /// Addresses of the host, as far as it knows them.
    public var addresses: [ReachableAddress]
    /// The app passwords in the order in which they were created.
    public var items: [AppPasswordItem]

    /// Memberwise initializer.
    public init(user: String, addresses: [ReachableAddress], items: [AppPasswordItem]) {
        self.user = user
        self.addresses = addresses
        self.items = items
    }
}

/// A new app password: the only answer that contains the secret.
public struct NewAppPassword: Codable, Sendable, Equatable {
    /// ID of the app password.
    public var id: String
    /// Name of the app.
    public var name: String
    /// The user name that the app signs in with.
    public var user: String
    /// The password. It is not shown again.
    public var password: String

    /// Memberwise initializer.
    public init(id: String, name: String, user: String, password: String) {
        self.id = id
        self.name = name
        self.user = user
        self.password = password
    }
}
