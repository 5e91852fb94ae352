internal import CCrypto

/// Digests that protocols prescribe. Both are broken: do not use them for anything new.
package enum Digest: String, Sendable {
    /// MD5 (RFC 1321), with which the Subsonic and Last.fm protocols sign.
    case md5 = "MD5"
    /// SHA-1 (FIPS 180-4), a checksum of the handshake of WebSockets (RFC 6455 §1.3).
    case sha1 = "SHA1"

    /// Returns the digest of some bytes; empty if the system's policy forbids the algorithm.
    package func bytes(of message: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            let isDone = EVP_Q_digest(
                nil, rawValue, nil, message, message.count, buffer.baseAddress, &count)
            if isDone != 1 { count = 0 }
        }
    }

    /// Returns the digest of some bytes as lower-case hexadecimal digits.
    package func hexadecimal(of message: [UInt8]) -> String { Self.hexadecimalText(bytes(of: message)) }

    /// Returns bytes as lower-case hexadecimal digits.
    package static func hexadecimalText(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
