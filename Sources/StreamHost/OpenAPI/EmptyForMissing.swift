internal import HTTPServer

// What many tracks do not have is no mistake of the client's: a page asks so, since browsers report every 404 as an error.

extension HTTPRequest {
    /// Whether something that is not there is to be answered with nothing, instead of 404.
    func wantsEmptyForMissing() throws(HTTPError) -> Bool {
        switch query["missing"] {
        case nil: return false
        case "empty": return true
        default:
            throw HTTPError(
                .badRequest, code: "invalid_parameter", message: "missing is \"empty\".", field: "missing")
        }
    }
}

extension OpenAPIParameter {
    /// Asks for an answer without content where there is nothing.
    static let emptyForMissing = query(
        "missing", "`empty` for 204 instead of 404 where the track has none.", .oneOf(["empty"]))
}

extension OpenAPIResponse {
    /// The answer to ``OpenAPIParameter/emptyForMissing``.
    static let missing = OpenAPIResponse(
        status: .noContent, meaning: "There is none, and `missing` is `empty`.")
}
