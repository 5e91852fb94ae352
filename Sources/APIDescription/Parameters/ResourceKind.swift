package import HTTPServer

/// A kind of object that paths refer to by ID, and the error if it does not exist.
package struct ResourceKind: Sendable {
    /// Name of the path parameter.
    package let parameter: String
    /// Human-readable name.
    package let name: String

    /// The error for an ID in a path that does not exist.
    package var error: APIError {
        APIError(.notFound, "no_such_\(name)", "There is no \(name) with this ID.")
    }

    /// The ID in a path.
    var identifier: OpenAPIParameter {
        .path(parameter, "\(name.prefix(1).uppercased())\(name.dropFirst()) ID.", .identifier(example: 1))
    }

    package static let all = [
        ResourceKind(parameter: "album_id", name: "album"),
        ResourceKind(parameter: "artist_id", name: "artist"),
        ResourceKind(parameter: "playlist_id", name: "playlist"),
        ResourceKind(parameter: "job_id", name: "job"),
        ResourceKind(parameter: "account_id", name: "account"),
        ResourceKind(parameter: "play_id", name: "play"),
        ResourceKind(parameter: "share_id", name: "share"),
        ResourceKind(parameter: "station_id", name: "station"),
        ResourceKind(parameter: "recording_id", name: "recording"),
        ResourceKind(parameter: "track_id", name: "track"),
        ResourceKind(parameter: "id", name: "track"),
    ]

    /// The kind of object that a path refers to; nil if the path has no ID.
    static func named(inPath path: String) -> ResourceKind? {
        let names = path.split(separator: "/").compactMap { $0.hasPrefix(":") ? $0.dropFirst() : nil }
        return all.first { kind in names.contains { $0.prefix { $0 != "." } == kind.parameter } }
    }
}

extension HTTPRequest {
    /// The error for a path that refers to an object that does not exist.
    package var nothingThere: HTTPError {
        for kind in ResourceKind.all {
            guard let number = parameters[kind.parameter] else { continue }
            return kind.error("There is no \(kind.name) \(number).", field: kind.parameter)
        }
        return APIError.notFound("There is nothing at this path.")
    }
}
