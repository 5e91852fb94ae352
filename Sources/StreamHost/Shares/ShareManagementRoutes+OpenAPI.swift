internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension ShareManagementRoutes {
    static let tag = "Shares"
    private static let expiry = JSONSchema.number(
        "Expiry time, in seconds since 1970.", minimum: times.lowerBound, maximum: times.upperBound)
    private static let description = JSONSchema.text(
        "Shown on the page; up to \(descriptionLimit) characters."
    ).orNull

    private static func ids(_ kind: String) -> JSONSchema {
        .array(of: .identifier(example: kind == "track" ? 1 : nil), "IDs of \(kind)s.").orNull
    }

    static let operations = [
        operation(
            .get, Routes.shares, "shares", "List the shares, oldest first",
            details: "Expired shares are listed until they are deleted.",
            parameters: [Query.limit, Query.offset],
            answer: .json("SharePage", "The shares.")),
        operation(
            .post, Routes.shares, "createShare", "Share tracks, albums or playlists",
            details: """
                The answer's `path` opens a page that plays the music without a key, until the share expires or is deleted. It \
                expires after a year by default; `PATCH` with `"expires_at": null` removes the limit.
                """,
            body: [
                "track_ids": ids("track").optional, "album_ids": ids("album").optional,
                "playlist_ids": ids("playlist").optional, "description": description.optional,
                "expires_at": expiry.orNull.optional,
            ], answer: .json("Share", "The share.").created,
            errors: [.noSuchTrack, .noSuchAlbum, .noSuchPlaylist]),
        operation(
            .patch, Routes.share, "updateShare", "Change a share's description or expiry",
            body: [
                "description": description.optional,
                "expires_at": JSONSchema.number(
                    "Expiry time, in seconds since 1970; null: never.", minimum: times.lowerBound,
                    maximum: times.upperBound
                ).orNull.optional,
            ], answer: .json("Share", "The share.")),
        operation(
            .delete, Routes.share, "deleteShare", "Revoke a share",
            details: "Its page and all media that it opened are refused from the next request on.",
            answer: .done("The share was revoked.")),
    ]

    static let schemas: [String: JSONSchema] = [
        "Share": [
            "id": .identifier("Share ID."),
            "path": .text("Path of its page on the host.", example: "/share/…"),
            "description": .text("Description, as shown on the page.").optional,
            "user": .text("Name of the account that created it."),
            "created_at": .time("Time when it was created"),
            "expires_at": .time("Expiry time").optional,
            "last_visited_at": .time("Time when its page was last opened").optional,
            "visit_count": .integer("Number of times that its page was opened."),
            "track_count": .integer("Number of tracks."),
        ],
        "SharePage": .page(of: .named("Share")),
    ]
}
