internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension ShareManagementRoutes {
    private static let tag = "Shares"
    private static let expiry = JSONSchema.number(
        "Expiry time, in seconds since 1970.", minimum: times.lowerBound, maximum: times.upperBound)
    private static let description = JSONSchema.text(
        "Shown on the page; up to \(descriptionLimit) characters."
    ).orNull

    private static func ids(_ kind: String) -> JSONSchema {
        .array(of: .identifier(example: kind == "track" ? 1 : nil), "IDs of \(kind)s.").orNull
    }

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.shares, id: "shares", summary: "List the shares, oldest first",
            details: "Expired shares are listed until they are deleted.", tag: tag, access: .key,
            parameters: OpenAPIParameter.page(), answer: "The shares.",
            contents: [.json(.named("SharePage"))], errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .post, path: Routes.shares, id: "createShare",
            summary: "Share tracks, albums or playlists",
            details: """
                The answer's `path` opens a page that plays the music without a key, until the share expires or is deleted. It \
                expires after a year by default; `PATCH` with `"expires_at": null` removes the limit.
                """, tag: tag, access: .key,
            body: .object([
                .maybe("track_ids", ids("track")), .maybe("album_ids", ids("album")),
                .maybe("playlist_ids", ids("playlist")), .maybe("description", description),
                .maybe("expires_at", expiry.orNull),
            ]), status: .created, answer: "The share.", contents: [.json(.named("Share"))],
            headers: [.location],
            errors: ["track", "album", "playlist"].map {
                OpenAPIError(
                    status: .notFound, code: "no_such_\($0)", meaning: "There is no \($0) with this ID.")
            }),
        OpenAPIOperation(
            method: .patch, path: Routes.share, id: "updateShare",
            summary: "Change a share's description or expiry", tag: tag, access: .key,
            parameters: [.path("share_id", "Share ID.", .identifier(example: 1))],
            body: .object([
                .maybe("description", description),
                .maybe(
                    "expires_at",
                    JSONSchema.number(
                        "Expiry time, in seconds since 1970; null: never.", minimum: times.lowerBound,
                        maximum: times.upperBound
                    ).orNull),
            ]), answer: "The share.", contents: [.json(.named("Share"))], errors: [.nothing]),
        OpenAPIOperation(
            method: .delete, path: Routes.share, id: "deleteShare", summary: "Revoke a share",
            details: "Its page and all media that it opened are refused from the next request on.", tag: tag,
            access: .key, parameters: [.path("share_id", "Share ID.", .identifier(example: 1))],
            status: .noContent, answer: "The share was revoked.", errors: [.nothing]),
    ]

    static let schemas = [
        "Share": JSONSchema.object([
            .always("id", .identifier("Share ID.")),
            .always("path", .text("Path of its page on the host.", example: "/share/…")),
            .maybe("description", .text("Description, as shown on the page.")),
            .always("user", .text("Name of the account that created it.")),
            .always("created_at", .time("Time when it was created")),
            .maybe("expires_at", .time("Expiry time")),
            .maybe("last_visited_at", .time("Time when its page was last opened")),
            .always("visit_count", .integer("Number of times that its page was opened.")),
            .always("track_count", .integer("Number of tracks.")),
        ]),
        "SharePage": CatalogueSchemas.page(of: .named("Share")),
    ]
}
