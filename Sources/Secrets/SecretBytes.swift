internal import CSodium

/// Bytes that only their owner may know: compared in constant time, never described.
public struct SecretBytes: Sendable, CustomStringConvertible {
    /// The bytes.
    public let bytes: [UInt8]

    /// Takes bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Makes random bytes by the system's generator for cryptography.
    public init(random count: Int) {
        Sodium.prepare()
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        self.init(bytes)
    }

    /// Whether other bytes are the same. Takes as long for any bytes of the same length, so that the time tells nothing.
    public func matches(_ other: [UInt8]) -> Bool {
        Sodium.prepare()
        return bytes.count == other.count && sodium_memcmp(bytes, other, bytes.count) == 0
    }

    /// A signature of a message under this secret: HMAC-SHA-256 (RFC 2104), 32 bytes.
    public func signature(of message: [UInt8]) -> [UInt8] {
        Sodium.prepare()
        var state = crypto_auth_hmacsha256_state()
        var signature = [UInt8](repeating: 0, count: 32)
        crypto_auth_hmacsha256_init(&state, bytes, bytes.count)
        crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        crypto_auth_hmacsha256_final(&state, &signature)
        return signature
    }

    /// Nothing of the bytes: a secret that slips into a log stays one.
    public var description: String { "<secret>" }
}

/// The library's own start, which must come before all else.
enum Sodium {
    // Thread-safe and idempotent; it fails only where the system has no source of random numbers.
    private static let isReady: Bool = sodium_init() >= 0

    static func prepare() { precondition(isReady, "libsodium found no source of random numbers") }
}
