internal import CSodium

/// A password that a person chose, as a hash: Argon2id (RFC 9106) with a random salt, as libsodium's `crypto_pwhash_str` makes it.
///
/// Making and checking one takes about 64 MiB of memory and a tenth of a second, which is what slows guessers down.
package struct PasswordHash: Sendable, Equatable {
    /// The hash with its salt and parameters, such as `$argon2id$v=19$m=65536,t=2,p=1$…`.
    package let text: String

    /// Wraps a stored hash.
    package init(text: String) { self.text = text }

    /// Hashes a password; nil where the system has too little memory.
    package init?(of password: [UInt8]) {
        Sodium.prepare()
        var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let signed = password.map { CChar(bitPattern: $0) }
        let status = crypto_pwhash_str(
            &hash, signed, UInt64(signed.count), UInt64(crypto_pwhash_opslimit_interactive()),
            crypto_pwhash_memlimit_interactive())
        guard status == 0 else { return nil }
        text = String(decoding: hash.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a password is the one that was hashed. Malformed hashes match none.
    package func matches(_ password: [UInt8]) -> Bool {
        Sodium.prepare()
        // The function reads a text that ends at NUL.
        var stored = text.utf8.filter { $0 != 0 }.map { CChar(bitPattern: $0) }
        guard stored.count < crypto_pwhash_strbytes() else { return false }
        stored += [CChar](repeating: 0, count: crypto_pwhash_strbytes() - stored.count)
        let signed = password.map { CChar(bitPattern: $0) }
        return crypto_pwhash_str_verify(stored, signed, UInt64(signed.count)) == 0
    }
}
