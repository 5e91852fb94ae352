internal import APIDescription
package import Companion
package import HTTPServer
package import LibraryStore
package import MusicFiles
internal import MusicShared

/// Handles requests for paths without stored results: looks for the file and queues it for analysis.
package struct UnanalysedTracks: Sendable {
    /// The state of a path.
    package enum Finding {
        /// A music file that is queued for analysis, with its position in the queue.
        case waiting(Int)
        /// A music file that cannot be analysed.
        case failed(AnalysisFailure)
        /// No music file, or not a path within the music folder.
        case absent
    }

    package let music: MusicFolder
    package let library: LibraryStore
    package let queue: AnalysisQueue

    /// Memberwise initializer.
    package init(music: MusicFolder, library: LibraryStore, queue: AnalysisQueue) {
        self.music = music
        self.library = library
        self.queue = queue
    }

    /// Looks for a file, and queues it for analysis if it exists.
    package func find(_ path: RelativePath?) throws -> Finding { try find([path])[0] }

    /// Looks for several files, and queues them together.
    package func find(_ paths: [RelativePath?]) throws -> [Finding] {
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
    /// - Throws: 404 if there is no music file, 422 if it cannot be analysed.
    package func answer(_ text: String) throws -> HTTPResponse {
        switch try find(RelativePath(text: text)) {
        case .waiting(let place):
            var response = try HTTPResponse.json(PendingTrack(relativePath: text, position: place))
            response.status = .accepted
            response.fields[.retryAfter] = "5"
            return response
        case .failed(let failure):
            throw APIError.analysisFailed(
                "The file cannot be analysed: \(failure.message)", field: "relative_path")
        case .absent:
            throw APIError.noSuchTrack(
                "There is no music file at this path in the music folder.", field: "relative_path")
        }
    }
}
