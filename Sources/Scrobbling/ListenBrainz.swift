internal import Foundation
package import HTTPClient

/// ListenBrainz, or a server with its API.
///
/// Specification: https://listenbrainz.readthedocs.io/en/latest/users/api/ and …/json.html. The service recognises a play
/// that it has already by user, time and track.
package struct ListenBrainz: ScrobbleService {
    /// The address of the service itself.
    package static let standardAddress = "https://api.listenbrainz.org"

    package let batchLimit = 100
    package let minimumSeconds = 0.0

    private let address: String
    private let token: String
    /// Name and version of the program that sends the plays.
    private let program: (name: String, version: String)
    private let connection: ServiceConnection

    /// - Parameters:
    ///   - address: the address in front of `/1/submit-listens`.
    ///   - token: the user's token.
    ///   - program: name and version of this program, which the service stores with each play.
    package init(
        address: String, token: String, program: (name: String, version: String), loop: TransferLoop
    ) {
        self.address = address
        self.token = token
        self.program = program
        connection = ServiceConnection(loop: loop, name: "ListenBrainz")
    }

    /// Checks the token.
    /// - Returns: the user's name.
    /// - Throws: ``ScrobbleError``.
    package func userName() async throws(ScrobbleError) -> String {
        struct Answer: Decodable {
            let valid: Bool
            let user_name: String?
        }
        let answer: TransferLoop.Answer
        switch await connection.send(request("validate-token")) {
        case .success(let found): answer = found
        case .failure(let failure): throw ScrobbleError(failure.outcome, name: connection.name)
        }
        guard let found = try? JSONDecoder().decode(Answer.self, from: Data(answer.body)) else {
            throw answer.status == 401
                ? ScrobbleError(.refused, "ListenBrainz does not know this token")
                : ScrobbleError(
                    .unavailable,
                    "the server does not answer as ListenBrainz does (status \(answer.status))")
        }
        guard found.valid else { throw ScrobbleError(.refused, "ListenBrainz does not know this token") }
        return found.user_name ?? ""
    }

    package func submit(_ listens: [Listen]) async -> ScrobbleOutcome {
        await post(listens.count == 1 ? "single" : "import", listens, withTimes: true)
    }

    package func announce(_ listen: Listen) async -> ScrobbleOutcome {
        await post("playing_now", [listen], withTimes: false)
    }

    private func request(_ method: String) -> TransferRequest {
        var request = TransferRequest(address: "\(address)/1/\(method)")
        request.fields = [("Authorization", "Token \(token)")]
        return request
    }

    private func post(_ type: String, _ listens: [Listen], withTimes: Bool) async -> ScrobbleOutcome {
        let payload = listens.map { entry($0, withTime: withTimes) }
        guard let body = try? JSONEncoder().encode(Submission(listen_type: type, payload: payload)) else {
            return .malformed("the plays cannot be encoded")
        }
        var request = request("submit-listens")
        request.method = "POST"
        request.fields.append(("Content-Type", "application/json"))
        request.body = [UInt8](body)
        switch await connection.send(request) {
        case .failure(let failure): return failure.outcome
        case .success(let answer): return Self.outcome(answer)
        }
    }

    private static func outcome(_ answer: TransferLoop.Answer) -> ScrobbleOutcome {
        switch answer.status {
        case 200..<300:
            let isExhausted = answer.field("X-RateLimit-Remaining") == "0"
            return .accepted(pauseSeconds: isExhausted ? ServiceConnection.pause(answer) : nil)
        case 401, 403: return .refused("ListenBrainz does not accept the token any more; connect again")
        case 400, 413: return .malformed("ListenBrainz does not accept the play (status \(answer.status))")
        default:
            return .failed("ListenBrainz sent an unexpected answer (status \(answer.status))")
        }
    }

    // MARK: - JSON

    private struct Submission: Encodable {
        let listen_type: String
        let payload: [Payload]
    }

    private struct Payload: Encodable {
        let listened_at: Int?
        let track_metadata: Metadata
    }

    private struct Metadata: Encodable {
        let artist_name: String
        let track_name: String
        let release_name: String?
        let additional_info: Info
    }

    private struct Info: Encodable {
        let submission_client: String
        let submission_client_version: String
        let media_player: String
        let duration_ms: Int?
        let tracknumber: Int?
        let recording_mbid: String?
        let release_mbid: String?
        let isrc: String?
        let release_artist_name: String?
    }

    private func entry(_ listen: Listen, withTime: Bool) -> Payload {
        Payload(
            listened_at: withTime ? listen.listenedAt : nil,
            track_metadata: Metadata(
                artist_name: listen.artist, track_name: listen.title, release_name: listen.album,
                additional_info: Info(
                    submission_client: program.name, submission_client_version: program.version,
                    media_player: program.name,
                    duration_ms: listen.durationSeconds.map { Int(($0 * 1000).rounded()) },
                    tracknumber: listen.trackNumber, recording_mbid: listen.recordingID,
                    release_mbid: listen.releaseID, isrc: listen.isrc,
                    release_artist_name: listen.albumArtist)))
    }
}
