internal import Foundation
internal import HTTPServer
internal import MusicShared

/// The OpenAPI 3.1 description of the host's API.
package struct OpenAPIDocument: Sendable, Encodable {
    package let operations: [OpenAPIOperation]
    /// Schemas that operations refer to by name.
    package let schemas: [String: JSONSchema]

    /// Describes the given groups of routes.
    package init(_ groups: [any DescribedRoutes.Type]) {
        operations = groups.flatMap { $0.operations }
        schemas = groups.reduce(into: ["Error": APIError.schema]) {
            $0.merge($1.schemas) { first, _ in first }
        }
    }

    /// Returns the document as JSON; deterministic for the same routes.
    package func json() throws -> [UInt8] { Array(try JSONEncoder.ofHost.encode(self)) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: OpenAPIKey.self)
        try container.encode("3.1.0", forKey: "openapi")
        try container.encode(Info(), forKey: "info")
        try container.encode([["url": "/"]], forKey: "servers")
        let paths = Dictionary(grouping: operations, by: \.template).mapValues { operations in
            Dictionary(uniqueKeysWithValues: operations.map { ($0.method.rawValue.lowercased(), $0) })
        }
        try container.encode(paths, forKey: "paths")
        try container.encode(Components(schemas: schemas), forKey: "components")
    }

    /// The title and what applies to all operations.
    package struct Info: Encodable {
        package let title = "Audio Companion host"
        package let version = "\(StreamingConstants.protocolVersion)"
        package let description = """
            An analysed music library as HLS streams, byte ranges and data. Times are in seconds on the gapless timeline, where 0 \
            is the first sample in gapless playback. Values that a track does not have are omitted.

            Every path that supports GET also supports HEAD and OPTIONS. Text and JSON are compressed if the client accepts gzip. \
            Unsupported methods are answered with 405 and unknown paths with 404, both with an Error.
            """
    }

    private struct Components: Encodable {
        let schemas: [String: JSONSchema]
        let securitySchemes = [
            "key": [
                "type": "http", "scheme": "bearer",
                "description":
                    "The API key, which `stream-host key show` prints and which has all rights; or an app password, which has the rights of its account.",
            ],
            "token": [
                "type": "apiKey", "in": "query", "name": "token",
                "description":
                    "A token for one track, album or playlist from `POST /auth/token`, for players that cannot send headers.",
            ],
        ]
    }
}
