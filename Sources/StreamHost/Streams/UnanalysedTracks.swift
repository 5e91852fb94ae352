internal import Companion
internal import HTTPServer
internal import MusicShared

/// Handles requests for paths without stored results: looks for the file and queues it for analysis.
struct UnanalysedTracks: Sendable {
    /// The state of a path.
    enum Finding {
        /// An MP3 that is queued for analysis, with its position in the queue.
        case waiting(Int)
        /// An MP3 that cannot be analysed.
        case failed(AnalysisFailure)
        /// No MP3, or not a path within the music folder.
        case absent
    }

    let music: MusicFolder
    let library: LibraryStore
    let queue: AnalysisQueue

    /// Looks for a file, and queues it for analysis if it exists.
    func find(_ path: RelativePath?) throws -> Finding { try find([path])[0] }

    /// Looks for several files, and queues them together.
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
        let places = try queue.enqueue(requests)
        return findings.map { if case .waiting(let index) = $0 { .waiting(places[index]) } else { $0 } }
    }

    /// Returns the response to a request for one path: 202 with its position in the queue.
    /// - Throws: 404 if there is no MP3, 422 if it cannot be analysed.
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
                .notFound, code: "no_such_track",
                message: "There is no MP3 at this path in the music folder.",
                field: "relative_path")
        }
    }
}
