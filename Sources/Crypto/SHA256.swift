internal import CCrypto

/// The SHA-256 (FIPS 180-4) of a message that is given piece by piece. Not thread-safe.
package final class SHA256 {
    private let context: OpaquePointer?
    private var isIntact = false

    /// Starts with the empty message.
    package init() {
        context = EVP_MD_CTX_new()
        isIntact = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Appends bytes to the message.
    package func update(_ bytes: [UInt8]) {
        isIntact = EVP_DigestUpdate(context, bytes, bytes.count) == 1 && isIntact
    }

    /// Ends the message. Call this once.
    /// - Returns: the digest as lower-case hexadecimal digits; empty if the library has failed.
    package func finish() -> String {
        var count: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, length in
            isIntact = EVP_DigestFinal_ex(context, buffer.baseAddress, &count) == 1 && isIntact
            length = isIntact ? Int(count) : 0
        }
        return Digest.hexadecimalText(bytes)
    }
}
