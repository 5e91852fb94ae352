internal import Foundation
internal import Secrets

/// Lets a player that cannot send headers have one track, album or playlist for a while: `subject.expiry.signature`.
struct StreamToken: Sendable {
    /// How long a token holds unless asked otherwise, in seconds.
    static let standardLifetime = 3600.0
    /// The longest that a token may hold, in seconds.
    static let longestLifetime = 24 * 3600.0

    /// What a token is for.
    enum Subject: Sendable, Hashable {
        case track(Int)
        case album(Int)
        case playlist(Int)

        fileprivate var text: String {
            switch self {
            case .track(let id): "\(id)"
            case .album(let id): "album-\(id)"
            case .playlist(let id): "playlist-\(id)"
            }
        }
    }

    /// What it is for.
    let subject: Subject
    /// Until when it holds, in seconds since 1970.
    let expires: Int

    /// The token as text.
    func signed(by secret: SecretBytes) -> String {
        let claim = "\(subject.text).\(expires)"
        return "\(claim).\(Base64URL.encode(secret.signature(of: Array(claim.utf8))))"
    }

    /// Whether a text is a token for a subject that still holds.
    static func isValid(_ text: String, for subject: Subject, now: Date = Date(), secret: SecretBytes) -> Bool
    {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == subject.text, let expires = Int(parts[1]),
            let signature = Base64URL.decode(String(parts[2]))
        else { return false }
        let expected = SecretBytes(secret.signature(of: Array("\(parts[0]).\(parts[1])".utf8)))
        return expected.matches(signature) && Double(expires) > now.timeIntervalSince1970
    }

    /// Until when a token holds that is known to be valid.
    static func expiry(ofValid text: String) -> Int? {
        text.split(separator: ".").dropFirst().first.flatMap { Int($0) }
    }
}
