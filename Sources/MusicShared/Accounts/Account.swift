/// The rights of an account; each role includes those before it.
public enum AccountRole: String, Codable, Sendable, CaseIterable, Comparable {
    /// Listens, and keeps stars, ratings, plays, a queue and playlists.
    case listener
    /// Changes files as well: tags, covers, lyrics, uploads, the trash.
    case editor
    /// Manages the host as well: accounts, scans, the removal of missing tracks.
    case owner

    /// Orders roles by their rights.
    public static func < (first: AccountRole, second: AccountRole) -> Bool {
        (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
    }
}

/// An account of a host.
public struct Account: Codable, Sendable, Equatable, Identifiable {
    /// The account that the host's API key belongs to. It always exists, and is an owner.
    public static let mainID = 1

    /// Account ID; never used again after the account was deleted.
    public var id: Int
    /// The name to sign in with, unique without regard to case.
    public var name: String
    /// The rights.
    public var role: AccountRole
    /// The address that Subsonic apps show, if any; the host sends no mail.
    public var email: String?
    /// Creation time in seconds since 1970.
    public var createdAt: Double

    /// Memberwise initializer.
    public init(id: Int, name: String, role: AccountRole, email: String? = nil, createdAt: Double) {
        self.id = id
        self.name = name
        self.role = role
        self.email = email
        self.createdAt = createdAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, role, email
        case createdAt = "created_at"
    }
}

/// The accounts of a host.
public struct AccountList: Codable, Sendable, Equatable {
    /// The accounts in the order in which they were created.
    public var items: [Account]

    /// Memberwise initializer.
    public init(items: [Account]) { self.items = items }
}

/// Limits of accounts.
public enum AccountLimits {
    /// The longest name, in characters.
    public static let nameLength = 64
    /// The longest email address, in characters.
    public static let emailLength = 254
    /// The shortest password, in characters.
    public static let shortestPassword = 8
    /// The longest password, in bytes.
    public static let longestPassword = 1024
}
