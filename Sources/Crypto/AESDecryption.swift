internal import CCrypto

/// Decryption with AES-128 in CBC mode and PKCS #7 padding (RFC 8216 §4.3.2.4).
package enum AESDecryption {
    /// Length of key and initialisation vector in bytes.
    package static let keyLength = 16

    /// Returns the decrypted bytes; nil if key and bytes do not fit together.
    /// - Parameters:
    ///   - key: sixteen bytes.
    ///   - vector: sixteen bytes.
    package static func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8]? {
        guard key.count == keyLength, vector.count == keyLength, bytes.count % keyLength == 0,
            bytes.count <= Int(Int32.max) - keyLength, let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1 else { return nil }
        var isRight = false
        let plain = [UInt8](unsafeUninitializedCapacity: bytes.count + keyLength) { buffer, count in
            var length: Int32 = 0
            var rest: Int32 = 0
            guard let base = buffer.baseAddress,
                EVP_DecryptUpdate(context, base, &length, bytes, Int32(bytes.count)) == 1,
                EVP_DecryptFinal_ex(context, base + Int(length), &rest) == 1
            else { return }
            isRight = true
            count = Int(length + rest)
        }
        return isRight ? plain : nil
    }
}
