/// A sign-in with the account's password: the body of `POST /auth/sign-in`.
public struct SignInRequest: Codable, Sendable, Equatable {
    /// The account's name; case does not matter.
    public var name: String
    /// The account's password.
    public var password: String
    /// The client's name, which the owner sees in the list of app passwords.
    public var client: String

    /// Memberwise initializer.
    public init(name: String, password: String, client: String) {
        self.name = name
        self.password = password
        self.client = client
    }
}

/// The credential that a client got for itself by signing in.
public struct SignInResponse: Codable, Sendable, Equatable {
    /// An app password, to be sent as `Authorization: Bearer …`. It is not shown again.
    public var credential: String
    /// The account that it belongs to.
    public var account: Account

    /// Memberwise initializer.
    public init(credential: String, account: Account) {
        self.credential = credential
        self.account = account
    }
}

/// A new account: the body of `POST /accounts`.
public struct NewAccount: Codable, Sendable, Equatable {
    /// The name to sign in with.
    public var name: String
    /// The rights.
    public var role: AccountRole
    /// The email address.
    public var email: String?
    /// The password; nil for an account that cannot sign in with one yet.
    public var password: String?

    /// Memberwise initializer.
    public init(name: String, role: AccountRole, email: String? = nil, password: String? = nil) {
        self.name = name
        self.role = role
        self.email = email
        self.password = password
    }
}

/// Changes to an account: the body of `PATCH /accounts/:id`.
public struct AccountPatch: Codable, Sendable, Equatable {
    /// The new rights; nil keeps the current ones.
    public var role: AccountRole?
    /// The new email address; nil keeps the current one, `.some(nil)` removes it.
    public var email: String??
    /// The new password; nil keeps the current one.
    public var password: String?

    /// Memberwise initializer.
    public init(role: AccountRole? = nil, email: String?? = nil, password: String? = nil) {
        self.role = role
        self.email = email
        self.password = password
    }

    private enum CodingKeys: String, CodingKey {
        case role, email, password
    }

    /// Decodes the keys that are present; a null email removes the address.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.role) { role = try container.decode(AccountRole.self, forKey: .role) }
        if container.contains(.email) {
            email = .some(try container.decodeIfPresent(String.self, forKey: .email))
        }
        if container.contains(.password) { password = try container.decode(String.self, forKey: .password) }
    }

    /// Encodes only the values to change.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(role, forKey: .role)
        if let email { try container.encode(email, forKey: .email) }
        try container.encodeIfPresent(password, forKey: .password)
    }
}

/// A new password of one's own account: the body of `PUT /auth/password`.
public struct PasswordChange: Codable, Sendable, Equatable {
    /// The current password.
    public var currentPassword: String
    /// The new password.
    public var password: String

    /// Memberwise initializer.
    public init(currentPassword: String, password: String) {
        self.currentPassword = currentPassword
        self.password = password
    }

    private enum CodingKeys: String, CodingKey {
        case currentPassword = "current_password"
        case password
    }
}
