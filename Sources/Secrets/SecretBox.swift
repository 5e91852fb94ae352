internal import CSodium

/// Encrypts and authenticates small secrets with one key: XSalsa20-Poly1305, libsodium's `secretbox`.
package struct SecretBox: Sendable {
    /// Bytes of a key.
    package static let keyLength = 32

    private let key: SecretBytes

    /// Uses a key; nil where it has another length than ``keyLength``.
    package init?(key: SecretBytes) {
        Sodium.prepare()
        guard key.bytes.count == Self.keyLength, crypto_secretbox_keybytes() == Self.keyLength else {
            return nil
        }
        self.key = key
    }

    /// Returns the encrypted message with its random nonce in front.
    package func seal(_ message: [UInt8]) -> [UInt8] {
        let nonce = SecretBytes(random: crypto_secretbox_noncebytes()).bytes
        var sealed = [UInt8](repeating: 0, count: message.count + crypto_secretbox_macbytes())
        crypto_secretbox_easy(&sealed, message, UInt64(message.count), nonce, key.bytes)
        return nonce + sealed
    }

    /// Returns the message that ``seal(_:)`` encrypted; nil where the bytes were changed or sealed with another key.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        let nonceLength = crypto_secretbox_noncebytes()
        let overhead = nonceLength + crypto_secretbox_macbytes()
        guard sealed.count >= overhead else { return nil }
        let nonce = Array(sealed[..<nonceLength])
        let content = Array(sealed[nonceLength...])
        var message = [UInt8](repeating: 0, count: sealed.count - overhead)
        let status = crypto_secretbox_open_easy(
            &message, content, UInt64(content.count), nonce, key.bytes)
        return status == 0 ? message : nil
    }
}
