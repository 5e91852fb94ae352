package import HTTPServer

// For data that many tracks lack, a missing value is not a client error. Browsers log every 404 as an error,
// so pages request an empty response instead.

extension HTTPRequest {
    /// Whether missing data must be answered with 204 instead of 404.
    package func wantsEmptyForMissing() throws(HTTPError) -> Bool {
        switch query["missing"] {
        case nil: return false
        case "empty": return true
        default:
            throw HTTPError(
                .unprocessableContent, code: "invalid_parameter", message: "missing must be \"empty\".",
                field: "missing")
        }
    }
}

extension OpenAPIParameter {
    /// The track of a request, by path.
    package static let relativePath = query(
        "relative_path", "Path of the track relative to the music folder, as in the catalogue.",
        .text(example: "1.mp3"), isRequired: true)
    /// Requests an empty response for missing data.
    package static let emptyForMissing = query(
        "missing", "`empty` returns 204 instead of 404 if the track has none.", .oneOf(["empty"]))
}

extension OpenAPIResponse {
    /// The track exists in the folder but has not been analysed yet.
    package static let pending = OpenAPIResponse(
        status: .accepted, meaning: "The track is queued for analysis; try again later.",
        contents: [.json(.named("PendingTrack"))], headers: [.retryAfter])
    /// The response to ``OpenAPIParameter/emptyForMissing``.
    package static let missing = OpenAPIResponse(
        status: .noContent, meaning: "The track has none, and `missing` is `empty`.")
}

extension OpenAPIError {
    /// Errors of requests by path.
    package static let ofPath = [
        OpenAPIError(
            status: .notFound, code: "no_such_track",
            meaning: "There is no MP3 at this path in the music folder."),
        OpenAPIError(
            status: .unprocessableContent, code: "analysis_failed",
            meaning: "The file cannot be analysed."),
    ]
}
