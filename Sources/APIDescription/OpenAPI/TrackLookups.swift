// Answers of routes that look up a track by its path, or data that many tracks lack.

internal import HTTPServer

extension OpenAPIResponse {
    /// The track exists in the folder but has not been analysed yet.
    package static let pending = OpenAPIResponse(
        status: .accepted, meaning: "The track is queued for analysis; try again later.",
        contents: [.json("PendingTrack")], headers: [.retryAfter])
    /// The response to ``Query/emptyForMissing``.
    package static let missing = OpenAPIResponse(
        status: .noContent, meaning: "The track has none, and `missing` is `empty`.")
}
