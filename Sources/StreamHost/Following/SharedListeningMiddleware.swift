internal import APIDescription
internal import HTTPServer
internal import LibraryStore

/// Answers requests that cannot change shared listening data because its database is away. The thread that follows the database
/// reports it to the owner.
struct SharedListeningMiddleware: HTTPMiddleware {
    func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest) {
        guard case .failure(let error) = outcome, error is SharedListeningError else { return }
        outcome = .failure(APIError.listeningAway(fields: [.retryAfter: "5"]))
    }
}
