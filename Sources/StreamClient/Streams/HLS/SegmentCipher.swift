internal import CCrypto

/// Decrypts segments: AES-128 in CBC mode with PKCS #7 padding (RFC 8216 §4.3.2.4), using OpenSSL.
enum SegmentCipher {
    /// Returns the decrypted bytes.
    /// - Parameters:
    ///   - key: sixteen bytes.
    ///   - vector: sixteen bytes.
    static func decrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) throws(PlaybackError) -> [UInt8] {
        guard key.count == 16, vector.count == 16 else {
            throw PlaybackError(.badPlaylist, "invalid stream key")
        }
        guard bytes.count % 16 == 0, bytes.count <= Int(Int32.max) - 16,
            let context = EVP_CIPHER_CTX_new()
        else { throw wrong }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, vector) == 1 else { throw wrong }
        var isRight = false
        let plain = [UInt8](unsafeUninitializedCapacity: bytes.count + 16) { buffer, count in
            var length: Int32 = 0
            var rest: Int32 = 0
            guard let base = buffer.baseAddress,
                EVP_DecryptUpdate(context, base, &length, bytes, Int32(bytes.count)) == 1,
                EVP_DecryptFinal_ex(context, base + Int(length), &rest) == 1
            else { return }
            isRight = true
            count = Int(length + rest)
        }
        guard isRight else { throw wrong }
        return plain
    }

    /// The default initialisation vector of a segment: its sequence number, big-endian.
    static func vector(sequence: Int) -> [UInt8] {
        (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> (8 * (15 - $0))) }
    }

    private static let wrong = PlaybackError(.badPlaylist, "a segment cannot be decrypted with its key")
}
