internal import Crypto
package import FileSystem
package import Foundation
internal import Secrets
internal import Threads

/// The passwords that apps and clients sign in with: one for each, random, and revocable by itself.
///
/// The Subsonic protocol's salted tokens need the plain password on the server. So these are encrypted, not hashed, and a
/// person never chooses one. Changes by the command line take effect on a running host with its next request.
package final class AppPasswords: Sendable {
    /// An app password without the secret.
    package struct Entry: Sendable, Equatable {
        /// Identifies the password; contains nothing of it.
        package let id: String
        /// The account that it signs in to.
        package let account: String
        /// The app's name.
        package let name: String
        /// When it was created, in seconds since 1970.
        package let createdAt: Double
        /// When it was last used, in seconds since 1970, to within ten minutes; nil if never.
        package let lastUsedAt: Double?
    }

    /// A sign-in as a client sends it.
    package enum Credentials: Sendable {
        /// The account and the password itself.
        case password(account: String, [UInt8])
        /// The account, md5(password + salt) in hexadecimal digits, and the salt.
        case token(account: String, [UInt8], salt: [UInt8])
        /// The password alone.
        case apiKey([UInt8])
    }

    /// The account and app that credentials belong to.
    package struct SignIn: Sendable, Equatable {
        /// The account's name.
        package let account: String
        /// The app's name.
        package let name: String
        /// Identifies the password in tokens, without revealing it.
        package let tokenID: String
    }

    /// A password that can be compared.
    private struct Usable: Sendable {
        let signIn: SignIn
        let secret: SecretBytes
        var lastUsedAt: Double?
    }

    /// Bytes of an app password's id in tokens.
    private static let markLength = 9
    /// Seconds for which a use is not written down again.
    package static let useInterval = 600.0
    /// The longest name of an app, in characters.
    package static let nameLimit = 100
    /// Letters and digits that are not mistaken for each other: five bits each.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)

    private let file: AppPasswordFile
    private let passwords = Memo<FileStatus.Version?, [Usable]>(capacity: 1)

    /// Uses the app passwords of a data folder.
    package init(dataFolder: String) { file = AppPasswordFile(dataFolder: dataFolder) }

    /// Identifies the state of the file: changed whenever a password may have been added or revoked.
    package var version: FileStatus.Version? { (try? Files.status(of: file.path))?.version }

    /// Creates a password for an app.
    /// - Parameter isNumbered: whether a taken name gets a number, instead of being refused.
    /// - Returns: the password: 24 letters and digits in groups of four. It is not shown again.
    /// - Throws: `HostError` where the name is invalid or taken, or a file cannot be written.
    package func add(
        account: String, name: String, isNumbered: Bool = false
    ) throws(HostError) -> String {
        let isPrintable = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard !name.isEmpty, name.count <= Self.nameLimit, isPrintable else {
            throw HostError(
                .badName, "an app's name has 1 to \(Self.nameLimit) characters, and no control characters")
        }
        // A data folder that no host has used yet gets its host.json.
        _ = try HostSecrets(dataFolder: file.dataFolder)
        let password = Self.random()
        try file.change { passwords throws(HostError) in
            let taken = Set(passwords.filter { $0.account == account }.map(\.name))
            var name = name
            if isNumbered, taken.contains(name) {
                let number = (2...taken.count + 1).first { !taken.contains("\(name) \($0)") }
                name += " \(number ?? taken.count + 2)"
            }
            guard !taken.contains(name) else {
                throw HostError(
                    .nameTaken,
                    "\(account) has an app password named '\(name)' already; remove it or choose another name"
                )
            }
            guard let box = try file.box(creates: true) else {
                throw HostError(.secrets, "the data folder has no host.json")
            }
            passwords.append(
                AppPasswordFile.Stored(
                    account: account, name: name,
                    sealed: Base64URL.encode(box.seal(Array(password.utf8))),
                    createdAt: Date().timeIntervalSince1970.rounded(), lastUsedAt: nil))
        }
        return password
    }

    /// Returns all app passwords in the order in which they were created.
    /// - Throws: `HostError` where the file cannot be read.
    package func list() throws(HostError) -> [Entry] {
        try file.read().map {
            Entry(
                id: $0.id, account: $0.account, name: $0.name, createdAt: $0.createdAt,
                lastUsedAt: $0.lastUsedAt)
        }
    }

    /// Revokes an app's password.
    /// - Throws: `HostError` where no app password has this name, or the file cannot be written.
    package func remove(account: String, name: String) throws(HostError) {
        try file.change { passwords throws(HostError) in
            let count = passwords.count
            passwords.removeAll { $0.account == account && $0.name == name }
            guard passwords.count < count else {
                throw HostError(.secrets, "\(account) has no app password named '\(name)'")
            }
        }
    }

    /// Revokes all passwords of an account.
    /// - Throws: `HostError` where the file cannot be read or written.
    package func removeAll(account: String) throws(HostError) {
        guard try file.read().contains(where: { $0.account == account }) else { return }
        try file.change { passwords throws(HostError) in passwords.removeAll { $0.account == account } }
    }

    /// Revokes the password with an id.
    /// - Returns: whether the account has such a password.
    /// - Throws: `HostError` where the file cannot be written.
    package func remove(account: String, id: String) throws(HostError) -> Bool {
        try file.change { passwords throws(HostError) in
            let count = passwords.count
            passwords.removeAll { $0.account == account && $0.id == id }
            return passwords.count < count
        }
    }

    /// Returns the account that credentials sign in to; nil where they are wrong or revoked.
    package func account(for credentials: Credentials, now: Date = Date()) -> String? {
        signIn(with: credentials, now: now)?.account
    }

    /// Returns what credentials sign in to; nil where they are wrong or revoked.
    ///
    /// Every password is compared, in constant time, so that the time taken does not tell which account exists.
    package func signIn(with credentials: Credentials, now: Date = Date()) -> SignIn? {
        var found: Usable?
        for password in current() where Self.matches(password, credentials) { found = password }
        guard let found else { return nil }
        if now.timeIntervalSince1970 - (found.lastUsedAt ?? 0) > Self.useInterval {
            noteUse(of: found.signIn, now)
        }
        return found.signIn
    }

    /// Returns what an app password signs in to, by its id in tokens; nil where it was revoked.
    package func signIn(tokenID: String) -> SignIn? {
        current().first { $0.signIn.tokenID == tokenID }?.signIn
    }

    private static func matches(_ known: Usable, _ credentials: Credentials) -> Bool {
        switch credentials {
        case .password(let account, let password):
            return known.secret.matches(password) && known.signIn.account == account
        case .token(let account, let token, let salt):
            let expected = SecretBytes(Array(Digest.md5.hexadecimal(of: known.secret.bytes + salt).utf8))
            return expected.matches(token) && known.signIn.account == account
        case .apiKey(let key): return known.secret.matches(key)
        }
    }

    /// The passwords in force: read again where the file has changed.
    private func current() -> [Usable] {
        // A file that cannot be read lets no app in: a revoked password must not go on working.
        passwords.valueMadeOnce(for: version) { (try? usable()) ?? [] }
    }

    private func usable() throws(HostError) -> [Usable] {
        guard let box = try file.box(creates: false) else { return [] }
        return try file.read().compactMap { stored in
            guard let secret = Base64URL.decode(stored.sealed).flatMap(box.open).map(SecretBytes.init)
            else { return nil }
            let mark = secret.signature(of: Array("token".utf8)).prefix(Self.markLength)
            return Usable(
                signIn: SignIn(
                    account: stored.account, name: stored.name, tokenID: Base64URL.encode(Array(mark))),
                secret: secret, lastUsedAt: stored.lastUsedAt)
        }
    }

    /// Writes the time of a use down. Failures are ignored: signing in matters more.
    private func noteUse(of password: SignIn, _ now: Date) {
        try? file.change { passwords throws(HostError) in
            for index in passwords.indices
            where passwords[index].account == password.account && passwords[index].name == password.name {
                passwords[index].lastUsedAt = now.timeIntervalSince1970.rounded()
            }
        }
    }

    /// Draws a password of 120 random bits.
    private static func random() -> String {
        let characters = SecretBytes(random: 24).bytes.map { alphabet[Int($0 & 31)] }
        return stride(from: 0, to: characters.count, by: 4).map {
            String(decoding: characters[$0..<$0 + 4], as: UTF8.self)
        }.joined(separator: "-")
    }
}
