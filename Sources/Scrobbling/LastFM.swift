internal import Crypto
internal import Foundation
package import HTTPClient

/// Last.fm, or a server with its API.
///
/// Specification: https://www.last.fm/api/scrobbling, …/api/authspec and …/api/errorcodes. The service recognises a play that
/// it has already by user, time and track.
package struct LastFM: ScrobbleService {
    /// The address of the service's API.
    package static let standardAddress = "https://ws.audioscrobbler.com/2.0/"
    /// The page where a user allows the access.
    package static let standardPage = "https://www.last.fm/api/auth/"

    package let batchLimit = 50
    package let minimumSeconds = 30.0

    /// The application's key and secret, which the user gets from the service.
    package struct Application: Codable, Sendable {
        /// The API key.
        package var key: String
        /// The shared secret, which signs requests.
        package var secret: String

        /// Memberwise initializer.
        package init(key: String, secret: String) {
            self.key = key
            self.secret = secret
        }
    }

    /// A user's access.
    package struct Session: Codable, Sendable {
        /// The user's name.
        package var user: String
        /// The session key. It does not expire; the user can withdraw it.
        package var key: String
    }

    private let address: String
    private let application: Application
    private let session: Session?
    private let connection: ServiceConnection

    /// - Parameter session: the user's access; nil before the user has allowed it.
    package init(address: String, application: Application, session: Session?, loop: TransferLoop) {
        self.address = address
        self.application = application
        self.session = session
        connection = ServiceConnection(loop: loop, name: "Last.fm")
    }

    // MARK: - Connecting

    /// Requests a token, for which the user then allows the access on a page of the service. It is valid for an hour.
    /// - Throws: ``ScrobbleError``.
    package func token() async throws(ScrobbleError) -> String {
        struct Answer: Decodable {
            let token: String
        }
        return try await ask("auth.getToken", [:], as: Answer.self).token
    }

    /// Returns the address of the page where the user allows the access.
    package func authorizationURL(page: String, token: String) -> String {
        "\(page)?\(Self.form([("api_key", application.key), ("token", token)]))"
    }

    /// Exchanges a token that the user has allowed for a session.
    /// - Throws: ``ScrobbleError``; `notAuthorized` if the user has not allowed the access yet.
    package func session(token: String) async throws(ScrobbleError) -> Session {
        struct Answer: Decodable {
            struct Content: Decodable {
                let name: String
                let key: String
            }
            let session: Content
        }
        let found = try await ask("auth.getSession", ["token": token], as: Answer.self).session
        return Session(user: found.name, key: found.key)
    }

    private func ask<Value: Decodable>(
        _ method: String, _ parameters: [String: String], as type: Value.Type
    ) async throws(ScrobbleError) -> Value {
        let answer: TransferLoop.Answer
        switch await connection.send(request(method, parameters)) {
        case .success(let found): answer = found
        case .failure(let failure): throw ScrobbleError(failure.outcome, name: connection.name)
        }
        if let error = Self.error(answer) {
            // 14: the token has not been authorised; 15: it has expired.
            if error.error == 14 {
                throw ScrobbleError(.notAuthorized, "the access has not been allowed at Last.fm yet")
            }
            if error.error == 15 {
                throw ScrobbleError(.refused, "the request for access has expired; connect again")
            }
            throw ScrobbleError(Self.outcome(error), name: connection.name)
        }
        guard let value = try? JSONDecoder().decode(type, from: Data(answer.body)) else {
            throw ScrobbleError(
                .unavailable, "the server does not answer as Last.fm does (status \(answer.status))")
        }
        return value
    }

    // MARK: - Plays

    package func submit(_ listens: [Listen]) async -> ScrobbleOutcome {
        var parameters: [String: String] = [:]
        for (index, listen) in listens.enumerated() {
            for (name, value) in Self.parameters(listen) { parameters["\(name)[\(index)]"] = value }
            parameters["timestamp[\(index)]"] = "\(listen.listenedAt)"
        }
        return await post("track.scrobble", parameters) { Self.scrobbled($0, count: listens.count) }
    }

    package func announce(_ listen: Listen) async -> ScrobbleOutcome {
        await post("track.updateNowPlaying", Self.parameters(listen)) { _ in .accepted() }
    }

    private static func parameters(_ listen: Listen) -> [String: String] {
        var parameters = ["artist": listen.artist, "track": listen.title]
        parameters["album"] = listen.album
        parameters["albumArtist"] = listen.albumArtist
        parameters["trackNumber"] = listen.trackNumber.map(String.init)
        parameters["mbid"] = listen.recordingID
        parameters["duration"] = listen.durationSeconds.map { "\(Int($0.rounded()))" }
        return parameters
    }

    private func post(
        _ method: String, _ parameters: [String: String],
        _ read: (TransferLoop.Answer) -> ScrobbleOutcome
    ) async -> ScrobbleOutcome {
        guard let session else { return .refused("Last.fm is not connected") }
        var parameters = parameters
        parameters["sk"] = session.key
        switch await connection.send(request(method, parameters)) {
        case .failure(let failure): return failure.outcome
        case .success(let answer):
            if let error = Self.error(answer) { return Self.outcome(error) }
            guard (200..<300).contains(answer.status) else {
                return .failed("Last.fm sent an unexpected answer (status \(answer.status))")
            }
            return read(answer)
        }
    }

    /// The outcome of each play of a request.
    private static func scrobbled(_ answer: TransferLoop.Answer, count: Int) -> ScrobbleOutcome {
        guard let answer = try? JSONDecoder().decode(Scrobbled.self, from: Data(answer.body)) else {
            return .failed("Last.fm sent an unexpected answer")
        }
        var rejected: [Int] = []
        var postponed: [Int] = []
        for (index, scrobble) in answer.scrobbles.scrobble.prefix(count).enumerated() {
            switch scrobble.ignoredMessage?.code.number {
            case nil, 0: break
            // More than the service takes in a day.
            case 5: postponed.append(index)
            // A filtered artist or track, or a time too far in the past or the future.
            default: rejected.append(index)
            }
        }
        return .accepted(rejected: rejected, postponed: postponed)
    }

    // MARK: - Requests

    private func request(_ method: String, _ parameters: [String: String]) -> TransferRequest {
        var parameters = parameters
        parameters["method"] = method
        parameters["api_key"] = application.key
        parameters["api_sig"] = signature(parameters)
        // Not part of the signature.
        parameters["format"] = "json"
        var request = TransferRequest(address: address)
        request.method = "POST"
        request.fields = [("Content-Type", "application/x-www-form-urlencoded")]
        request.body = Array(Self.form(parameters.sorted { $0.key < $1.key }.map { ($0, $1) }).utf8)
        return request
    }

    /// Signs parameters: MD5 of all names and values in the order of their names' bytes, and the secret.
    private func signature(_ parameters: [String: String]) -> String {
        let ordered = parameters.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let text = ordered.map { $0.key + $0.value }.joined() + application.secret
        return Digest.md5.hexadecimal(of: Array(text.utf8))
    }

    /// Encodes a form or a query: all bytes but RFC 3986's unreserved characters are escaped.
    private static func form(_ parameters: [(name: String, value: String)]) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        func escaped(_ text: String) -> String {
            text.utf8.map { byte in
                plain.contains(byte)
                    ? String(UnicodeScalar(byte))
                    : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }.joined()
        }
        return parameters.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    // MARK: - Answers

    private struct ErrorAnswer: Decodable {
        let error: Int
        let message: String?
    }

    private static func error(_ answer: TransferLoop.Answer) -> ErrorAnswer? {
        try? JSONDecoder().decode(ErrorAnswer.self, from: Data(answer.body))
    }

    /// The outcome of an error by its code. The service's own message is not shown: it may repeat what was sent.
    private static func outcome(_ error: ErrorAnswer) -> ScrobbleOutcome {
        switch error.error {
        case 4, 9, 14, 15, 17: .refused("Last.fm does not accept the session any more; connect again")
        case 10, 26: .refused("Last.fm does not accept the API key; connect again with another one")
        case 13: .refused("Last.fm does not accept the signature: check the shared secret and connect again")
        case 6, 7: .malformed("Last.fm does not accept the play (error \(error.error))")
        case 29: .failed("Last.fm limits the number of requests", retryAfter: 60)
        default: .failed("Last.fm has a problem (error \(error.error))")
        }
    }

    private struct Scrobbled: Decodable {
        struct Content: Decodable {
            let scrobble: [Scrobble]

            private enum CodingKeys: CodingKey {
                case scrobble
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                // A single one comes without its list.
                if let list = try? container.decode([Scrobble].self, forKey: .scrobble) {
                    scrobble = list
                } else {
                    scrobble = [try container.decode(Scrobble.self, forKey: .scrobble)]
                }
            }
        }

        struct Scrobble: Decodable {
            let ignoredMessage: Ignored?
        }

        struct Ignored: Decodable {
            let code: Code
        }

        /// A number, which the service writes as text.
        struct Code: Decodable {
            let number: Int

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    number = Int(text) ?? 0
                } else {
                    number = try container.decode(Int.self)
                }
            }
        }

        let scrobbles: Content
    }
}
