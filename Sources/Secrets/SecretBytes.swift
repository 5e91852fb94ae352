internal import CSodium

/// Secret bytes: compared in constant time, never printed.
package struct SecretBytes: Sendable, CustomStringConvertible {
    /// The bytes.
    package let bytes: [UInt8]

    /// Wraps bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Creates random bytes with the system's cryptographic generator.
    package init(random count: Int) {
        Sodium.prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        self.init(bytes)
    }

    /// Returns whether other bytes are the same, in a time that depends on their length only.
    package func matches(_ other: [UInt8]) -> Bool {
        Sodium.prepare()
        return bytes.count == other.count && sodium_memcmp(bytes, other, bytes.count) == 0
    }

    /// Returns the signature of a message under this secret: HMAC-SHA-256 (RFC 2104), 32 bytes.
    package func signature(of message: [UInt8]) -> [UInt8] {
        Sodium.prepare()
        var state = crypto_auth_hmacsha256_state()
        var signature = [UInt8](repeating: 0, count: 32)
        crypto_auth_hmacsha256_init(&state, bytes, bytes.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        crypto_auth_hmacsha256_final(&state, &signature)
        return signature
    }

    /// A placeholder without any of the bytes: a secret that slips into a log stays secret.
    package var description: String { "<secret>" }
}

/// Initialises the library, which must happen before any other call.
enum Sodium {
    // Thread-safe and idempotent; it fails only if the system has no source of random numbers.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium found no source of random numbers") }
}
