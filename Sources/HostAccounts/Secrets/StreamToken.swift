package import Foundation
package import Secrets

/// Grants a player that cannot send headers temporary access to one track, album, playlist or radio station. Format:
/// `subject.expiry.signature`, or `subject.expiry.credential.signature` where it was made with an app password: it ends with
/// this password.
package struct StreamToken: Sendable {
    /// Default lifetime in seconds.
    package static let standardLifetime = 3600.0
    /// Maximum lifetime in seconds.
    package static let longestLifetime = 24 * 3600.0

    /// A resource that a token grants access to.
    package enum Subject: Sendable, Hashable {
        case track(Int)
        case album(Int)
        case playlist(Int)
        case station(Int)

        fileprivate var text: String {
            switch self {
            case .track(let id): "\(id)"
            case .album(let id): "album-\(id)"
            case .playlist(let id): "playlist-\(id)"
            case .station(let id): "station-\(id)"
            }
        }
    }

    /// The resource that the token grants access to.
    package let subject: Subject
    /// Expiry time, in seconds since 1970.
    package let expires: Int
    /// Identifies the app password that it was made with; nil for the API key.
    package var credential: String?

    /// Memberwise initializer.
    package init(subject: Subject, expires: Int, credential: String? = nil) {
        self.subject = subject
        self.expires = expires
        self.credential = credential
    }

    /// Returns the signed token.
    package func signed(by secret: SecretBytes) -> String {
        let claim = "\(subject.text).\(expires)\(credential.map { ".\($0)" } ?? "")"
        return "\(claim).\(Base64URL.encode(secret.signature(of: Array(claim.utf8))))"
    }

    /// Whether a text is an unexpired token for a subject, signed with the secret.
    package static func isValid(_ text: String, for subject: Subject, now: Date = Date(), secret: SecretBytes)
        -> Bool
    {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 4, parts[0] == subject.text, let expires = Int(parts[1]),
            let signature = Base64URL.decode(String(parts[parts.count - 1]))
        else { return false }
        let claim = parts.dropLast().joined(separator: ".")
        let expected = SecretBytes(secret.signature(of: Array(claim.utf8)))
        return expected.matches(signature) && Double(expires) > now.timeIntervalSince1970
    }

    /// Identifies the app password that a token which is known to be valid was made with; nil for the API key.
    package static func credential(ofValid text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 ? String(parts[2]) : nil
    }

    /// Returns the expiry time of a token that is known to be valid, in seconds since 1970.
    package static func expiry(ofValid text: String) -> Int? {
        text.split(separator: ".").dropFirst().first.flatMap { Int($0) }
    }
}
