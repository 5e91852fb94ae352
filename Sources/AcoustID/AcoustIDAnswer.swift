internal import Foundation
internal import HTTPClient

/// The content of an answer of `/v2/lookup` in JSON. Values that are missing or malformed are left out.
struct AcoustIDAnswer {
    /// The recordings with a title, those with the most similar fingerprints first, each once.
    let recordings: [AcoustIDRecording]

    /// Error codes of the service.
    private static let (internalError, invalidKey, tooManyRequests) = (5, 4, 14)

    /// - Parameter key: the key, which is removed from messages of the service.
    /// - Throws: ``AcoustIDError`` for an answer that is an error or not one of AcoustID.
    init(_ answer: HTTPAnswer, key: String) throws(AcoustIDError) {
        if answer.status == 429 {
            throw AcoustIDError(.unavailable, "AcoustID limits the number of requests")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(answer.body)) else {
            throw answer.status >= 500
                ? AcoustIDError(.unavailable, "AcoustID has a problem (status \(answer.status))")
                : AcoustIDError(
                    .foreignAnswer, "the server does not answer as AcoustID does (status \(answer.status))")
        }
        guard content.status == "ok" else { throw Self.error(content.error, key: key) }
        var seen: Set<String> = []
        recordings = (content.results ?? []).enumerated()
            .sorted { ($0.element.score ?? 0, $1.offset) > ($1.element.score ?? 0, $0.offset) }
            .flatMap { result in
                (result.element.recordings ?? []).compactMap {
                    $0.recording(score: result.element.score ?? 0)
                }
            }
            .filter { seen.insert($0.id).inserted }
    }

    private static func error(_ failure: Content.Failure?, key: String) -> AcoustIDError {
        let message = String(
            String.UnicodeScalarView(
                (failure?.message ?? "").replacing(key, with: "…").unicodeScalars
                    .filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200)))
        switch failure?.code {
        case invalidKey: return AcoustIDError(.refused, "AcoustID does not know this API key")
        case tooManyRequests: return AcoustIDError(.unavailable, "AcoustID limits the number of requests")
        case internalError: return AcoustIDError(.unavailable, "AcoustID has a problem: \(message)")
        default: return AcoustIDError(.invalidRequest, "AcoustID refuses the request: \(message)")
        }
    }

    private struct Content: Decodable {
        struct Failure: Decodable {
            let code: Int?
            let message: String?
        }

        struct Result: Decodable {
            let score: Double?
            let recordings: [Recording]?
        }

        let status: String
        let error: Failure?
        let results: [Result]?
    }

    private struct Recording: Decodable {
        struct Artist: Decodable {
            let name: String?
            let joinphrase: String?
        }

        struct Release: Decodable {
            let id: String?
            let title: String?
        }

        let id: String?
        let title: String?
        let artists: [Artist]?
        let releases: [Release]?

        /// The recording; nil without a valid identifier, a title or an artist.
        func recording(score: Double) -> AcoustIDRecording? {
            let artists = artists ?? []
            let artist = artists.indices.map { index in
                let joint = index + 1 < artists.count ? artists[index].joinphrase ?? ", " : ""
                return (artists[index].name ?? "") + joint
            }.joined()
            guard let id, UUID(uuidString: id) != nil, let title, !title.isEmpty, !artist.isEmpty else {
                return nil
            }
            let titled = (releases ?? []).compactMap { release -> AcoustIDRecording.Release? in
                guard let id = release.id, UUID(uuidString: id) != nil, let title = release.title,
                    !title.isEmpty
                else { return nil }
                return .init(id: id, title: title)
            }
            return AcoustIDRecording(
                id: id, score: min(max(score, 0), 1), title: title, artist: artist, releases: titled)
        }
    }
}
