internal import Companion
internal import HTTPServer
internal import MusicShared

/// Paths for which the store has no answer: what is there, and when the answer will be.
struct UnanalysedTracks: Sendable {
    /// What is at a path.
    enum Finding {
        /// An MP3 that is going to be analysed, with its place in the queue.
        case waiting(Int)
        /// An MP3 that cannot be analysed as it is.
        case failed(AnalysisFailure)
        /// None, or a path that is none inside the music folder.
        case absent
    }

    let music: MusicFolder
    let library: LibraryStore
    let queue: AnalysisQueue

    /// Looks at the folder, and asks for the analysis of what is there.
    func find(_ path: RelativePath?) throws -> Finding { try find([path])[0] }

    /// The same for several paths, asked for together.
    func find(_ paths: [RelativePath?]) throws -> [Finding] {
        var requests: [AnalysisRequest] = []
        let findings = try paths.map { path -> Finding in
            guard let path, let entry = music.entry(at: path) else { return .absent }
            if let failure = try library.failure(at: path), failure.isGivenUp(file: entry.file) {
                return .failed(failure)
            }
            requests.append(AnalysisRequest(path, priority: .waitedFor, file: entry.file))
            return .waiting(requests.count - 1)
        }
        let places = try queue.ask(requests)
        return findings.map { if case .waiting(let index) = $0 { .waiting(places[index]) } else { $0 } }
    }

    /// The answer to a request for one path: 202 with its place.
    /// - Throws: 404 where there is no MP3, 422 where it cannot be analysed.
    func answer(_ text: String) throws -> HTTPResponse {
        switch try find(RelativePath(text: text)) {
        case .waiting(let place):
            var response = try HTTPResponse.json(PendingTrack(relativePath: text, position: place))
            response.status = .accepted
            response.fields[.retryAfter] = "5"
            return response
        case .failed(let failure):
            throw HTTPError(
                .unprocessableContent, code: "analysis_failed",
                message: "The file cannot be analysed: \(failure.message)", field: "relative_path")
        case .absent:
            throw HTTPError(
                .notFound, code: "no_such_track", message: "The music folder has no MP3 of this path.",
                field: "relative_path")
        }
    }
}
