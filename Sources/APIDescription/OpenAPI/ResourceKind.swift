package import HTTPServer

/// A kind of object that paths refer to by ID, and the error if it does not exist.
package struct ResourceKind: Sendable {
    /// Name of the path parameter.
    package let parameter: String
    /// Human-readable name.
    package let name: String

    /// The error code.
    package var errorCode: String { "no_such_\(name)" }

    package static let all = [
        ResourceKind(parameter: "album_id", name: "album"),
        ResourceKind(parameter: "artist_id", name: "artist"),
        ResourceKind(parameter: "playlist_id", name: "playlist"),
        ResourceKind(parameter: "job_id", name: "job"),
        ResourceKind(parameter: "account_id", name: "account"),
        ResourceKind(parameter: "play_id", name: "play"),
        ResourceKind(parameter: "share_id", name: "share"),
        ResourceKind(parameter: "track_id", name: "track"),
        ResourceKind(parameter: "id", name: "track"),
    ]
}

extension HTTPRequest {
    /// The error for a path that refers to an object that does not exist.
    package var nothingThere: HTTPError {
        for thing in ResourceKind.all {
            guard let number = parameters[thing.parameter] else { continue }
            return HTTPError(
                .notFound, code: thing.errorCode, message: "There is no \(thing.name) \(number).",
                field: thing.parameter)
        }
        return HTTPError(.notFound, code: "not_found", message: "There is nothing at this path.")
    }
}
