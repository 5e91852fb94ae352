internal import APIDescription
internal import Foundation
package import HTTPServer
package import LibraryStore
package import MusicShared
internal import Secrets
internal import Synchronization

/// The accounts of a data folder with all that belongs to them: passwords in `host.json`, app passwords in `accounts.json`,
/// listening data, playlists and shares in the databases, and access to other services in `scrobbling.json`.
///
/// Changes by the command line take effect on a running host with its next request.
package final class Accounts: Sendable {
    /// Why a sign-in was refused.
    package enum SignInError: Error {
        /// The name or the password is wrong.
        case wrong
        /// There were too many wrong passwords.
        case limited
    }

    /// App passwords of all accounts.
    package let appPasswords: AppPasswords
    package let listening: ListeningStore
    /// Shares of all accounts.
    package let shares: ShareStore
    /// Services that the accounts' plays are forwarded to.
    package let scrobbling: ScrobblingStore
    private let library: LibraryStore
    private let dataFolder: String
    /// Passwords are checked one at a time, since each check takes 64 MiB.
    private let checking = Mutex(())
    /// Compared where there is no password, so that the time taken does not tell which account exists.
    private let decoy = Mutex<PasswordHash?>(nil)

    package init(_ data: DataFolder, listening: ListeningStore, library: LibraryStore) throws {
        self.listening = listening
        self.library = library
        dataFolder = data.path
        appPasswords = AppPasswords(dataFolder: dataFolder)
        shares = try ShareStore(data)
        scrobbling = try ScrobblingStore(data)
    }

    /// Opens the accounts of a data folder; creates its databases if necessary.
    /// - Parameter shared: the listening data that the host shares with others; nil for data of its own.
    /// - Throws: `StoreError`, `DatabaseError` or `SharedListeningError`.
    package convenience init(data: DataFolder, shared: (any SharedListening)? = nil) throws {
        let library = try LibraryStore(data)
        let listening = try ListeningStore(data, smart: library.smartPlaylists, shared: shared)
        try library.sharePlaylists(with: listening, in: data)
        try self.init(data, listening: listening, library: library)
    }

    /// All accounts in the order in which they were created.
    package var all: [Account] { get throws { try listening.accounts } }

    /// Returns an account by its name, without regard to case.
    /// - Throws: `StoreError` `noSuchAccount`.
    package func account(named name: String) throws -> Account {
        guard let account = try listening.account(named: name) else {
            throw StoreError(.noSuchAccount, "there is no account named '\(name)'")
        }
        return account
    }

    /// Creates an account.
    /// - Parameter password: nil for an account that cannot sign in with one yet.
    /// - Throws: `StoreError` for an invalid or taken name; `HostError` for an invalid password.
    package func add(
        name: String, role: AccountRole, email: String? = nil, password: String? = nil
    ) throws -> Account {
        let hash = try hash(password)
        // Copies of the library so far may hold private playlists of the only account.
        let account = try listening.addAccount(name: name, role: role, email: email)
        try library.invalidateCopies()
        // A damaged or restored data folder may hold secrets of an earlier account with this name or id.
        try appPasswords.removeAll(account: account.name)
        try HostSecrets.setPasswordHash(hash?.text, ofAccount: account.id, dataFolder: dataFolder)
        return account
    }

    /// Changes an account; nil keeps what is.
    /// - Throws: `StoreError`; `HostError` for an invalid password.
    package func change(
        id: Int, role: AccountRole? = nil, email: String?? = nil, password: String? = nil
    ) throws -> Account {
        let hash = try hash(password)
        let account = try listening.changeAccount(id: id, role: role, email: email)
        if let hash {
            try HostSecrets.setPasswordHash(hash.text, ofAccount: id, dataFolder: dataFolder)
        }
        return account
    }

    /// Returns the account that a request acts as.
    /// - Throws: 401 if it was deleted since the request was checked.
    package func account(of request: HTTPRequest) throws -> Account {
        guard let account = try listening.account(withID: request.caller.accountID) else {
            throw APIError.wrongKey("The account was deleted.")
        }
        return account
    }

    /// Deletes an account with its app passwords, listening data, playlists, shares, and access to other services.
    /// - Throws: `StoreError` where it does not exist or is that of the API key.
    package func remove(id: Int) throws {
        let account = try listening.account(withID: id)
        // First the account: from now on its credentials are refused, whatever else fails.
        try listening.removeAccount(id: id)
        if let account { try appPasswords.removeAll(account: account.name) }
        try HostSecrets.setPasswordHash(nil, ofAccount: id, dataFolder: dataFolder)
        try shares.removeAll(ofAccount: id)
        try scrobbling.removeAll(ofAccount: id)
        try library.removePlaylists(ofAccount: id)
    }

    // MARK: - Signing in

    /// Whether a password is the account's. Blocks for about a tenth of a second.
    /// - Parameters:
    ///   - key: what failures are counted by.
    ///   - now: monotonic time in seconds.
    /// - Throws: `limited` after too many failures; then the password is not looked at.
    package func check(
        _ password: String, of account: Account?, limiter: FailureLimiter, key: String, now: Double
    ) throws -> Bool {
        try checking.withLock { _ in
            guard !limiter.isBlocked(key, now: now) else { throw SignInError.limited }
            let stored = try account.flatMap {
                try HostSecrets.passwordHash(ofAccount: $0.id, dataFolder: dataFolder)
            }
            let isRight: Bool
            if let stored {
                isRight = PasswordHash(text: stored).matches(Array(password.utf8))
            } else {
                _ = decoyHash()?.matches(Array(password.utf8))
                isRight = false
            }
            if !isRight { limiter.failed(key, now: now) }
            return isRight
        }
    }

    private func decoyHash() -> PasswordHash? {
        decoy.withLock { decoy in
            if decoy == nil { decoy = PasswordHash(of: SecretBytes(random: 16).bytes) }
            return decoy
        }
    }

    private func hash(_ password: String?) throws -> PasswordHash? {
        guard let password else { return nil }
        guard password.count >= AccountLimits.shortestPassword,
            password.utf8.count <= AccountLimits.longestPassword
        else {
            throw HostError(
                .badPassword,
                "a password has at least \(AccountLimits.shortestPassword) characters and at most "
                    + "\(AccountLimits.longestPassword) bytes")
        }
        let made = checking.withLock { _ in PasswordHash(of: Array(password.utf8)) }
        guard let made else {
            throw HostError(.secrets, "there is too little memory to hash a password; 64 MiB are needed")
        }
        return made
    }

    /// Returns the account and the app password that credentials sign in to; nil where they are wrong or revoked, or the
    /// account was deleted.
    package func signIn(with credentials: AppPasswords.Credentials) -> (Account, AppPasswords.SignIn)? {
        guard let found = appPasswords.signIn(with: credentials) else { return nil }
        return known(found)
    }

    /// Returns the account and the app password that a token was made with.
    package func signIn(tokenID: String) -> (Account, AppPasswords.SignIn)? {
        guard let found = appPasswords.signIn(tokenID: tokenID) else { return nil }
        return known(found)
    }

    private func known(_ found: AppPasswords.SignIn) -> (Account, AppPasswords.SignIn)? {
        guard let account = try? listening.account(named: found.account) else { return nil }
        return (account, found)
    }
}
