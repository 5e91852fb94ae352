internal import APIDescription
internal import Companion
internal import HTTPServer
internal import MusicShared

extension UnavailableFolderRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.removalConfirmation, id: "confirmRemoval",
            summary: "Confirm that unavailable folders are gone",
            details: """
                A folder is unavailable if it is not mounted, is a dangling link or cannot be read; its tracks are kept \
                until it is back. So are the tracks of a deleted folder that contained more than half of a library of \
                \(LibraryWatch.largeCount) or more tracks. This marks the missing tracks of the given folders as removed. \
                Nothing is deleted: a file that comes back is the same track again.
                """, tag: "Library", access: .key, role: .owner,
            body: .object([
                .always(
                    "relative_paths",
                    .array(
                        of: .text(
                            "Path as reported by `/health`; `.` is the music folder.", example: "Archive"),
                        "The folders.", minimumCount: 1, maximumCount: mostFolders))
            ]), answer: "The tracks are marked as removed.", contents: [.json(.named("RemovalReport"))],
            errors: [
                OpenAPIError(
                    status: .conflict, code: "not_unavailable",
                    meaning: "One of the folders is not unavailable; nothing was changed.")
            ])
    ]

    static let schemas = [
        "UnavailableFolder": JSONSchema.object([
            .always(
                "relative_path", .text("Path relative to the music folder; `.` is the music folder itself.")),
            .always(
                "track_count", .integer("Number of tracks that are kept although their files are missing.")),
            .always(
                "reason",
                .oneOf(UnavailableFolder.Reason.allCases.map(\.rawValue), "Why it is unavailable.")),
            .always("message", .text("Human-readable reason.", example: "is not mounted")),
        ]),
        "RemovalReport": .object([
            .always("removed_count", .integer("Number of tracks that are no longer listed.")),
            .always(
                "unavailable_folders",
                .array(of: .named("UnavailableFolder"), "Folders that are still unavailable.")),
        ]),
    ]
}
