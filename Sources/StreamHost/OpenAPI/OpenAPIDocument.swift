internal import Foundation
internal import HTTPServer
internal import MusicShared

/// The description of the host's API (OpenAPI 3.1).
struct OpenAPIDocument: Sendable, Encodable {
    let operations: [OpenAPIOperation]
    /// Schemas that operations refer to by name.
    let schemas: [String: JSONSchema]

    /// The document of some groups of routes.
    init(_ groups: [any DescribedRoutes.Type]) {
        operations = groups.flatMap { $0.operations }
        schemas = groups.reduce(into: ["Error": OpenAPIError.schema]) {
            $0.merge($1.schemas) { first, _ in first }
        }
    }

    /// The document as JSON, the same bytes for the same routes.
    func json() throws -> [UInt8] { Array(try JSONEncoder.ofHost.encode(self)) }

    func encode(to encoder: any Encoder) throws {
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

    private struct Info: Encodable {
        let title = "Audio Companion host"
        let version = "\(StreamingConstants.protocolVersion)"
        let description = """
            An analysed music library as HLS, byte ranges and data. Times are in seconds on the gapless timeline, where 0 is \
            the first sample that a gapless player plays; values that a track does not have are left out.

            Every path that answers GET answers HEAD and OPTIONS too. Text and JSON come compressed to who accepts gzip. \
            Methods that a path does not have are answered with 405, paths that there are not with 404, both with an Error.
            """
    }

    private struct Components: Encodable {
        let schemas: [String: JSONSchema]
        let securitySchemes = [
            "key": [
                "type": "http", "scheme": "bearer",
                "description": "The API key, which `stream-host key show` prints.",
            ],
            "token": [
                "type": "apiKey", "in": "query", "name": "token",
                "description":
                    "A token for one track, from `POST /auth/token`: for players that cannot send header fields.",
            ],
        ]
    }
}
