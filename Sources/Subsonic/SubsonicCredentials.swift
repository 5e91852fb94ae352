internal import Crypto

/// Credentials for a Subsonic server: never the password itself, but the MD5 of it and a salt.
package struct SubsonicCredentials: Sendable {
    private enum Proof: Sendable {
        case password(String)
        case token(String, salt: String)
    }

    /// Length of a new salt in bytes; the protocol requires at least six characters.
    private static let saltLength = 8

    let user: String
    private let proof: Proof

    /// Reads the settings: a user, and a password or a token with its salt. A password takes precedence over a token.
    /// - Throws: `badSettings`, which says which setting is missing.
    package init(user: String?, password: String?, token: String?, salt: String?) throws(SubsonicError) {
        guard let user else { throw SubsonicError(.badSettings, "Navidrome needs a user: set subsonic-user") }
        self.user = user
        if let password {
            proof = .password(password)
            return
        }
        guard let token, let salt else {
            throw SubsonicError(
                .badSettings,
                "Navidrome needs a password: set subsonic-password, or subsonic-token and subsonic-salt")
        }
        guard token.count == 32, token.allSatisfy(\.isHexDigit) else {
            throw SubsonicError(
                .badSettings,
                "subsonic-token is no MD5: it has 32 hexadecimal digits, of the password and the salt")
        }
        proof = .token(token.lowercased(), salt: salt)
    }

    /// Returns token and salt for a request: the configured ones, or new ones each time if a password is set.
    func signature() -> (token: String, salt: String) {
        switch proof {
        case .token(let token, let salt): return (token, salt)
        case .password(let password):
            var generator = SystemRandomNumberGenerator()
            let salt = Digest.hexadecimalText((0..<Self.saltLength).map { _ in generator.next() })
            return (Digest.md5.hexadecimal(of: Array((password + salt).utf8)), salt)
        }
    }

    /// Returns a text with all secrets removed.
    func redacted(_ text: String) -> String {
        let secrets =
            switch proof {
            case .password(let password): [password]
            case .token(let token, let salt): [token, salt]
            }
        return secrets.reduce(text) { $0.replacing($1, with: "***") }
    }
}
