internal import APIDescription
internal import Foundation
internal import Secrets

/// The file `accounts.json` of a data folder: the app passwords of all accounts, encrypted with a key of `host.json`.
///
/// Several programs may change it: each change holds a lock, reads, changes and replaces the whole file.
struct AppPasswordFile: Sendable {
    /// An app password as it is stored.
    struct Stored: Codable, Sendable {
        /// The account that it signs in to.
        var account: String
        /// The app's name.
        var name: String
        /// The encrypted password, base64url.
        var sealed: String
        /// When it was created, in seconds since 1970.
        var createdAt: Double
        /// When it was last used, in seconds since 1970, to within ``AppPasswords/useInterval``.
        var lastUsedAt: Double?

        /// Identifies the password: the first 72 bits of the random nonce that it was encrypted with, which is no secret.
        var id: String { String(sealed.prefix(12)) }

        private enum CodingKeys: String, CodingKey {
            case account, name, sealed
            case createdAt = "created_at"
            case lastUsedAt = "last_used_at"
        }
    }

    /// The file's content.
    private struct Content: Codable {
        var appPasswords: [Stored] = []

        private enum CodingKeys: String, CodingKey {
            case appPasswords = "app_passwords"
        }
    }

    let dataFolder: String
    var path: String { "\(dataFolder)/accounts.json" }

    /// Returns the key that passwords are encrypted with.
    /// - Parameter creates: whether a missing key is created.
    /// - Throws: `HostError` where `host.json` cannot be used.
    func box(creates: Bool) throws(HostError) -> SecretBox? {
        try HostSecrets.appPasswordKey(dataFolder: dataFolder, creates: creates).flatMap {
            // The key in the file may be longer than the cipher's.
            SecretBox(key: SecretBytes(Array($0.bytes.prefix(SecretBox.keyLength))))
        }
    }

    /// Reads all app passwords; none where there is no file.
    /// - Throws: `HostError` where the file cannot be read.
    func read() throws(HostError) -> [Stored] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            return try JSONDecoder().decode(Content.self, from: data).appPasswords
        } catch {
            throw HostError(
                .secrets, "\(path) cannot be read or is damaged; move it away and add app passwords again")
        }
    }

    /// Changes the file while no other program does.
    /// - Throws: what the closure throws, or `HostError` where the file cannot be read or written.
    func change<Value>(_ body: (inout [Stored]) throws(HostError) -> Value) throws(HostError) -> Value {
        try SecretsFile.whileLocked(path) { () throws(HostError) in
            var passwords = try read()
            let value = try body(&passwords)
            try write(passwords)
            return value
        }
    }

    /// Replaces all app passwords by those of another host, encrypted with the same key.
    func replace(by passwords: [Stored]) throws(HostError) {
        try SecretsFile.whileLocked(path) { () throws(HostError) in try write(passwords) }
    }

    private func write(_ passwords: [Stored]) throws(HostError) {
        let encoder = JSONEncoder.ofHost
        encoder.outputFormatting.insert(.prettyPrinted)
        try SecretsFile.replace(path, with: Content(appPasswords: passwords), encoder: encoder)
    }
}
