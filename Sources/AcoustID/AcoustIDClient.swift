internal import Foundation
internal import HTTPClient

/// The look-up service of AcoustID, which names recordings by their Chromaprint fingerprints (https://acoustid.org/webservice).
///
/// Each request blocks its thread, and waits until a third of a second has passed since the one before: the service allows three
/// requests per second. Not for use by several threads at a time.
package final class AcoustIDClient {
    private static let secondsBetweenRequests = 1.0 / 3
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    private static let loopback: Set<String> = ["127.0.0.1", "::1", "[::1]", "localhost"]

    private let address: String
    private let key: String
    private let client: HTTPClient
    private var pacing = RequestPacing(interval: secondsBetweenRequests)

    /// - Parameters:
    ///   - address: the address in front of `/v2/lookup`; `https`, or `http` on this machine, because requests contain the key.
    ///   - key: the user's API key of an application.
    ///   - program: the program's name for the `User-Agent` field.
    /// - Throws: `badSettings`.
    package init(address: String, key: String, program: String) throws(AcoustIDError) {
        guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { throw AcoustIDError(.badSettings, "acoustid-url is no address like https://api.acoustid.org") }
        let scheme = parts.scheme?.lowercased()
        guard scheme == "https" || scheme == "http" && Self.loopback.contains(host) else {
            throw AcoustIDError(
                .badSettings, "acoustid-url must start with https://: requests contain the key")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.key = key
        client = HTTPClient(userAgent: program)
    }

    /// Looks a recording up.
    ///
    /// - Parameters:
    ///   - fingerprint: the compressed fingerprint as text.
    ///   - durationSeconds: duration of the whole recording.
    /// - Returns: the recordings with a title, those with the most similar fingerprints first; empty if none is known.
    /// - Throws: ``AcoustIDError``.
    package func recordings(fingerprint: String, durationSeconds: Double) throws(AcoustIDError)
        -> [AcoustIDRecording]
    {
        let seconds = min(max(durationSeconds, 1), 1e6)
        let parameters = [
            ("client", key), ("format", "json"), ("meta", "recordings releases"),
            ("duration", "\(Int(seconds.rounded()))"), ("fingerprint", fingerprint),
        ].map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "")"
        }
        pacing.wait()
        let answer: HTTPAnswer
        do throws(HTTPClientError) {
            answer = try client.get("\(address)/v2/lookup?" + parameters.joined(separator: "&"))
        } catch {
            throw AcoustIDError(.unavailable, "AcoustID does not answer: \(error.description)")
        }
        return try AcoustIDAnswer(answer, key: key).recordings
    }
}
