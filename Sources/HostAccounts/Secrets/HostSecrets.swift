internal import FileSystem
internal import Foundation
package import Secrets

/// The host's secrets: the API key and the key that signs tokens. Stored in `host.json`, readable only by its
/// owner, outside of the databases.
package struct HostSecrets: Sendable {
    /// Minimum length of a key in bytes (256 bits).
    private static let keyLength = 32

    /// The key that clients send.
    package let apiKey: SecretBytes
    /// The UTF-8 bytes of ``apiKeyText``.
    package let keyText: SecretBytes

    private struct Stored: Codable {
        var apiKey: String
        /// The key that app passwords are encrypted with; missing until the first one is created.
        var appPasswordKey: String?
        /// Hashes of the accounts' passwords, by the account's id; missing until the first one is set.
        var accountPasswords: [String: String]?

        private enum CodingKeys: String, CodingKey {
            case apiKey = "api_key"
            case appPasswordKey = "app_password_key"
            case accountPasswords = "account_passwords"
        }
    }

    /// Reads the secrets of a data folder; creates them on first start.
    /// - Throws: `HostError` if the file is readable by other users, is malformed, or cannot be written.
    package init(dataFolder: String) throws(HostError) {
        if let stored = try Self.existing(dataFolder: dataFolder) {
            self = stored
        } else {
            self = try Self.regenerate(dataFolder: dataFolder)
        }
    }

    /// Reads the secrets of a data folder; nil if they do not exist.
    /// - Throws: `HostError` if the file is readable by other users or is malformed.
    package static func existing(dataFolder: String) throws(HostError) -> HostSecrets? {
        let path = path(in: dataFolder)
        guard let stored = try read(path) else { return nil }
        guard let key = key(stored.apiKey) else {
            throw HostError(
                .secrets,
                "\(path) does not contain an API key of at least 256 bits; run `stream-host key regenerate` to create one"
            )
        }
        return HostSecrets(apiKey: key)
    }

    private init(apiKey: SecretBytes) {
        self.apiKey = apiKey
        keyText = SecretBytes(Array(Base64URL.encode(apiKey.bytes).utf8))
    }

    /// Creates a new key and replaces the stored one. A running host rejects the old key from then on.
    package static func regenerate(dataFolder: String) throws(HostError) -> HostSecrets {
        try replace(by: SecretBytes(random: keyLength), dataFolder: dataFolder)
    }

    /// Replaces the stored key with one chosen by the owner.
    /// - Throws: `HostError` if `text` is not base64url of at least 256 bits.
    package static func set(_ text: String, dataFolder: String) throws(HostError) -> HostSecrets {
        guard let key = key(text) else {
            throw HostError(
                .secrets,
                "an API key must be base64url (A-Z a-z 0-9 - _, no padding) of at least \(keyLength * 8) bits (43 "
                    + "characters)")
        }
        return try replace(by: key, dataFolder: dataFolder)
    }

    private static func replace(by key: SecretBytes, dataFolder: String) throws(HostError) -> HostSecrets {
        let secrets = HostSecrets(apiKey: key)
        let path = path(in: dataFolder)
        try SecretsFile.whileLocked(path) { () throws(HostError) in
            // Accounts and their apps go on working after the API key was replaced.
            var stored = (try? read(path)).flatMap { $0 } ?? Stored(apiKey: secrets.apiKeyText)
            stored.apiKey = secrets.apiKeyText
            try write(stored, path)
        }
        return secrets
    }

    /// Returns the key that app passwords are encrypted with.
    /// - Parameter creates: whether a missing key is created.
    /// - Returns: The key; nil if the host has none yet.
    /// - Throws: `HostError` when the file of secrets is missing, can be read by others or cannot be written.
    package static func appPasswordKey(dataFolder: String, creates: Bool) throws(HostError) -> SecretBytes? {
        let path = path(in: dataFolder)
        if let known = try storedAppPasswordKey(path) { return known }
        guard creates else { return nil }
        return try SecretsFile.whileLocked(path) { () throws(HostError) in
            // Another program may have created it in the meantime.
            if let known = try storedAppPasswordKey(path) { return known }
            guard var stored = try read(path) else { return nil }
            let fresh = SecretBytes(random: keyLength)
            stored.appPasswordKey = Base64URL.encode(fresh.bytes)
            try write(stored, path)
            return fresh
        }
    }

    /// Stores the key that app passwords are encrypted with, which another host has sent.
    static func setAppPasswordKey(_ key: SecretBytes, dataFolder: String) throws(HostError) {
        let path = path(in: dataFolder)
        try SecretsFile.whileLocked(path) { () throws(HostError) in
            let text = Base64URL.encode(key.bytes)
            guard var stored = try read(path), stored.appPasswordKey != text else { return }
            stored.appPasswordKey = text
            try write(stored, path)
        }
    }

    /// Returns the hash of an account's password; nil if it has none.
    package static func passwordHash(ofAccount id: Int, dataFolder: String) throws(HostError) -> String? {
        try read(path(in: dataFolder))?.accountPasswords?[String(id)]
    }

    /// Stores or removes the hash of an account's password.
    package static func setPasswordHash(
        _ hash: String?, ofAccount id: Int, dataFolder: String
    ) throws(HostError) {
        // A data folder that no host has used yet gets its host.json.
        _ = try HostSecrets(dataFolder: dataFolder)
        let path = path(in: dataFolder)
        try SecretsFile.whileLocked(path) { () throws(HostError) in
            guard var stored = try read(path), stored.accountPasswords?[String(id)] != hash else { return }
            stored.accountPasswords = stored.accountPasswords ?? [:]
            stored.accountPasswords?[String(id)] = hash
            try write(stored, path)
        }
    }

    private static func storedAppPasswordKey(_ path: String) throws(HostError) -> SecretBytes? {
        guard let text = try read(path)?.appPasswordKey else { return nil }
        guard let key = key(text) else {
            throw HostError(.secrets, "\(path) holds no valid app_password_key")
        }
        return key
    }

    /// Decodes a key; nil if the text is not base64url or is too short.
    private static func key(_ text: String) -> SecretBytes? {
        Base64URL.decode(text).flatMap { $0.count >= keyLength ? SecretBytes($0) : nil }
    }

    /// The key as clients send it: base64url, 43 characters for 256 bits.
    package var apiKeyText: String { Base64URL.encode(apiKey.bytes) }

    /// The key that signs tokens. It is derived from the API key, so regenerating the API key invalidates all
    /// tokens.
    package var tokenSecret: SecretBytes { SecretBytes(apiKey.signature(of: Array("stream token".utf8))) }

    /// Returns the path of the file that holds a data folder's secrets.
    package static func path(in dataFolder: String) -> String { "\(dataFolder)/host.json" }

    private static func read(_ path: String) throws(HostError) -> Stored? {
        let status: FileStatus
        do throws(SystemError) {
            status = try Files.status(of: path)
        } catch {
            if error.kind == .notFound { return nil }
            throw HostError(.secrets, "\(path) cannot be read: \(error)")
        }
        guard status.permissions & 0o077 == 0 else {
            throw HostError(
                .secrets,
                "\(path) is readable by other users but contains the API key; run `chmod 600 \(path)`")
        }
        do {
            return try JSONDecoder().decode(Stored.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw HostError(
                .secrets, "\(path) is malformed; move it away and restart `stream-host`")
        }
    }

    private static func write(_ stored: Stored, _ path: String) throws(HostError) {
        try SecretsFile.replace(path, with: stored, encoder: JSONEncoder())
    }
}
