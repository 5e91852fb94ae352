internal import Foundation
internal import Secrets

/// Lets a player that cannot send headers have one track for a while: `id.expiry.signature`.
struct StreamToken: Sendable {
    /// How long a token holds unless asked otherwise, in seconds.
    static let standardLifetime = 3600.0
    /// The longest that a token may hold, in seconds.
    static let longestLifetime = 24 * 3600.0

    /// The track that it is for.
    let trackID: Int
    /// Until when it holds, in seconds since 1970.
    let expires: Int

    /// The token as text.
    func signed(by secret: SecretBytes) -> String {
        "\(trackID).\(expires).\(Base64URL.encode(secret.signature(of: Array("\(trackID).\(expires)".utf8))))"
    }

    /// Whether a text is a token for a track that still holds.
    static func isValid(_ text: String, trackID: Int, now: Date = Date(), secret: SecretBytes) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let id = Int(parts[0]), let expires = Int(parts[1]),
            let signature = Base64URL.decode(String(parts[2]))
        else { return false }
        let expected = SecretBytes(secret.signature(of: Array("\(parts[0]).\(parts[1])".utf8)))
        return expected.matches(signature) && id == trackID && Double(expires) > now.timeIntervalSince1970
    }
}
