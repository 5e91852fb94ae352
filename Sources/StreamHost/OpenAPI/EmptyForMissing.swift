internal import HTTPServer

// For data that many tracks lack, a missing value is not a client error. Browsers log every 404 as an error,
// so pages request an empty response instead.

extension HTTPRequest {
    /// Whether missing data must be answered with 204 instead of 404.
    func wantsEmptyForMissing() throws(HTTPError) -> Bool {
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
    /// Requests an empty response for missing data.
    static let emptyForMissing = query(
        "missing", "`empty` returns 204 instead of 404 if the track has none.", .oneOf(["empty"]))
}

extension OpenAPIResponse {
    /// The response to ``OpenAPIParameter/emptyForMissing``.
    static let missing = OpenAPIResponse(
        status: .noContent, meaning: "The track has none, and `missing` is `empty`.")
}
