internal import Foundation
public import Secrets

/// What the host must keep to itself: the API key, and what tokens are signed with. Kept in `host.json`, which only its
/// owner may read, outside of the databases.
public struct HostSecrets: Sendable {
    /// Bytes of a key: 256 bits.
    private static let keyLength = 32

    /// The key that clients send.
    public let apiKey: SecretBytes
    /// The bytes of the key's text.
    let keyText: SecretBytes

    private struct Stored: Codable {
        var apiKey: String

        private enum CodingKeys: String, CodingKey {
            case apiKey = "api_key"
        }
    }

    /// Reads the secrets of a data folder; makes them at the first start.
    /// - Throws: `HostError` when the file can be read by others, holds something else, or cannot be written.
    public init(dataFolder: String) throws(HostError) {
        let path = Self.path(in: dataFolder)
        if let stored = try Self.read(path) {
            guard let key = Self.key(stored.apiKey) else {
                throw HostError(
                    .secrets,
                    "\(path) holds no API key of at least 256 bits; `stream-host key regenerate` makes one")
            }
            self.init(apiKey: key)
        } else {
            self = try Self.regenerate(dataFolder: dataFolder)
        }
    }

    private init(apiKey: SecretBytes) {
        self.apiKey = apiKey
        keyText = SecretBytes(Array(Base64URL.encode(apiKey.bytes).utf8))
    }

    /// Makes a new key, in place of one that may be there: clients with the old one are shut out.
    public static func regenerate(dataFolder: String) throws(HostError) -> HostSecrets {
        try replace(by: SecretBytes(random: keyLength), dataFolder: dataFolder)
    }

    /// Takes a key of the owner's in place of one that may be there.
    /// - Throws: `HostError` where it is no base64url of at least 256 bits.
    public static func set(_ text: String, dataFolder: String) throws(HostError) -> HostSecrets {
        guard let key = key(text) else {
            throw HostError(
                .secrets,
                "a key is base64url (A-Z a-z 0-9 - _, no padding) of at least \(keyLength * 8) bits, which are 43 "
                    + "characters")
        }
        return try replace(by: key, dataFolder: dataFolder)
    }

    private static func replace(by key: SecretBytes, dataFolder: String) throws(HostError) -> HostSecrets {
        let secrets = HostSecrets(apiKey: key)
        try write(Stored(apiKey: secrets.apiKeyText), path(in: dataFolder))
        return secrets
    }

    /// The key that a text stands for; nil where it is none, or too short.
    private static func key(_ text: String) -> SecretBytes? {
        Base64URL.decode(text).flatMap { $0.count >= keyLength ? SecretBytes($0) : nil }
    }

    /// The key as clients send it: 43 characters of base64url.
    public var apiKeyText: String { Base64URL.encode(apiKey.bytes) }

    /// The secret that tokens are signed with: another key than the one that is sent, made from it, so that regenerating
    /// the key ends all tokens.
    var tokenSecret: SecretBytes { SecretBytes(apiKey.signature(of: Array("stream token".utf8))) }

    private static func path(in dataFolder: String) -> String { "\(dataFolder)/host.json" }

    private static func read(_ path: String) throws(HostError) -> Stored? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw HostError(.secrets, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw HostError(
                .secrets, "\(path) can be read by others; it holds the API key: run `chmod 600 \(path)`")
        }
        do {
            return try JSONDecoder().decode(Stored.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw HostError(
                .secrets, "\(path) is not what `stream-host` writes; move it away and start again")
        }
    }

    /// Writes the file beside its place, for its owner only from the first moment, and moves it there.
    private static func write(_ stored: Stored, _ path: String) throws(HostError) {
        let temporary = "\(path).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, let json = try? JSONEncoder().encode(stored) else {
            throw HostError(.secrets, "\(temporary) cannot be written: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        let bytes = [UInt8](json) + [0x0A]
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(temporary, path) == 0
        else { throw HostError(.secrets, "\(path) cannot be written: \(String(cString: strerror(errno)))") }
    }
}
