internal import Foundation
internal import HTTPClient

/// A server that speaks the Subsonic API 1.16.1, such as Navidrome. Each request blocks its thread.
package struct SubsonicServer: Sendable {
    /// The state of a server's scan of its music folder.
    package struct ScanStatus: Sendable, Equatable {
        /// Whether a scan is running.
        package let isScanning: Bool
        /// The number of files seen so far.
        package let count: Int
    }

    private static let version = "1.16.1"
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private let base: String
    private let credentials: SubsonicCredentials
    private let client: HTTPClient
    private let clientName: String

    /// Creates a client for a server.
    /// - Parameters:
    ///   - url: the address with the base path, such as `http://navidrome:4533/navidrome`.
    ///   - timeoutSeconds: the timeout for an answer.
    ///   - program: the program's name for the `User-Agent` field.
    /// - Throws: `badSettings` if the address is malformed.
    package init(url: String, credentials: SubsonicCredentials, timeoutSeconds: Double, program: String)
        throws(SubsonicError)
    {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty
        else {
            throw SubsonicError(
                .badSettings, "navidrome-url is no address like http://navidrome:4533/navidrome")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw SubsonicError(
                .badSettings,
                "navidrome-url takes scheme, host, port and path only; the user is subsonic-user")
        }
        var base = url
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        self.credentials = credentials
        clientName = program
        var client = HTTPClient(userAgent: program)
        client.timeoutSeconds = timeoutSeconds
        self.client = client
    }

    /// Requests a scan of the server's music folder.
    /// - Throws: `SubsonicError`.
    package func startScan() throws(SubsonicError) -> ScanStatus { try status(of: "startScan") }

    /// Requests the state of the scan.
    /// - Throws: `SubsonicError`.
    package func scanStatus() throws(SubsonicError) -> ScanStatus { try status(of: "getScanStatus") }

    private func status(of method: String) throws(SubsonicError) -> ScanStatus {
        let (token, salt) = credentials.signature()
        let parameters = [
            ("u", credentials.user), ("t", token), ("s", salt), ("v", Self.version), ("c", clientName),
            ("f", "json"),
        ].map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "")"
        }
        let answer: HTTPAnswer
        do {
            answer = try client.get("\(base)/rest/\(method).view?" + parameters.joined(separator: "&"))
        } catch {
            throw SubsonicError(
                .noAnswer, "Navidrome does not answer: \(error)", isPassing: error.code != .badAddress)
        }
        return try read(answer)
    }

    private func read(_ answer: HTTPAnswer) throws(SubsonicError) -> ScanStatus {
        guard let envelope = try? JSONDecoder().decode(Envelope.self, from: Data(answer.body)) else {
            let type = answer.mediaType.isEmpty ? "" : " of \(Self.line(answer.mediaType))"
            throw SubsonicError(
                .foreignAnswer,
                "what answers at navidrome-url is no Subsonic server (status \(answer.status)\(type)): is its base path "
                    + "right?",
                // A proxy answers so while the server behind it restarts.
                isPassing: answer.status >= 500 || answer.status == 429)
        }
        let response = envelope.response
        guard response.status == "ok" else {
            let reason = response.error?.message ?? ""
            let number = response.error?.code.map { " \($0)" } ?? ""
            throw SubsonicError(
                .refused, "Navidrome refuses (error\(number)): \(Self.line(credentials.redacted(reason)))",
                // 0 is a general error of the server; the other codes concern the request.
                isPassing: response.error?.code == 0 || answer.status >= 500)
        }
        return ScanStatus(
            isScanning: response.scanStatus?.scanning ?? false, count: response.scanStatus?.count ?? 0)
    }

    /// Returns a server's message as one line for a log.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }.prefix(200)))
    }

    private struct Envelope: Decodable {
        let response: Response

        enum CodingKeys: String, CodingKey {
            case response = "subsonic-response"
        }
    }

    private struct Response: Decodable {
        struct Failure: Decodable {
            let code: Int?
            let message: String?
        }

        struct Scan: Decodable {
            let scanning: Bool?
            let count: Int?
        }

        let status: String
        let error: Failure?
        let scanStatus: Scan?
    }
}
