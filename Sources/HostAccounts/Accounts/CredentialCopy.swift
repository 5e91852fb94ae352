internal import APIDescription
internal import Foundation
package import LibraryStore
package import MusicShared
package import Secrets

/// The app passwords and the roles of accounts for a host that follows this one, encrypted with a key that follows from the API key,
/// which both have.
///
/// Passwords of accounts and their hashes are not in it.
package struct CredentialCopy: Sendable {
    /// Length of an app password key in bytes.
    private static let keyLength = 32

    private struct Content: Codable {
        var key: String?
        var appPasswords: [AppPasswordFile.Stored]
        var roles: [Role]
    }

    private struct Role: Codable {
        var accountID: Int
        var role: AccountRole
    }

    private let content: Content

    /// Reads the app passwords of a data folder.
    /// - Parameter accounts: all accounts of the host, for their roles.
    package init(dataFolder: String, accounts: [Account]) throws(HostError) {
        // Times of use are left out: they change all the time, and each host has its own.
        let passwords = try AppPasswordFile(dataFolder: dataFolder).read().map { stored in
            var stored = stored
            stored.lastUsedAt = nil
            return stored
        }
        content = Content(
            key: try HostSecrets.appPasswordKey(dataFolder: dataFolder, creates: false).map {
                Base64URL.encode($0.bytes)
            }, appPasswords: passwords, roles: accounts.map { Role(accountID: $0.id, role: $0.role) })
    }

    /// Opens a copy that ``sealed(with:)`` returned; nil where it was changed, or sealed with another API key.
    package init?(sealed: [UInt8], with apiKey: SecretBytes) {
        guard let bytes = Self.box(apiKey)?.open(sealed),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
        else { return nil }
        self.content = content
    }

    /// Returns the encrypted copy.
    package func sealed(with apiKey: SecretBytes) throws(HostError) -> [UInt8] {
        guard let box = Self.box(apiKey), let json = try? JSONEncoder.ofHost.encode(content) else {
            throw HostError(.secrets, "the app passwords cannot be encrypted")
        }
        return box.seal([UInt8](json))
    }

    /// Identifies the content without revealing anything of it.
    package func tag(with apiKey: SecretBytes) -> String {
        let json = (try? JSONEncoder.ofHost.encode(content)).map { [UInt8]($0) } ?? []
        return Base64URL.encode(Array(apiKey.signature(of: json).prefix(12)))
    }

    /// Gives accounts their roles. Accounts that are missing arrive with the listening data.
    package func storeRoles(in listening: ListeningStore) throws {
        try listening.apply(
            roles: Dictionary(content.roles.map { ($0.accountID, $0.role) }, uniquingKeysWith: { $1 }))
    }

    /// Replaces the app passwords of a data folder, except for their times of use.
    package func store(dataFolder: String) throws(HostError) {
        if let key = content.key.flatMap(Base64URL.decode) {
            guard key.count >= Self.keyLength else {
                throw HostError(.secrets, "the other host's app_password_key is too short")
            }
            try HostSecrets.setAppPasswordKey(SecretBytes(key), dataFolder: dataFolder)
        }
        let file = AppPasswordFile(dataFolder: dataFolder)
        let used = Dictionary(
            try file.read().map { ($0.sealed, $0.lastUsedAt) }, uniquingKeysWith: { first, _ in first })
        try file.replace(
            by: content.appPasswords.map { stored in
                var stored = stored
                stored.lastUsedAt = used[stored.sealed] ?? nil
                return stored
            })
    }

    private static func box(_ apiKey: SecretBytes) -> SecretBox? {
        SecretBox(key: SecretBytes(apiKey.signature(of: Array("app passwords of another host".utf8))))
    }
}
