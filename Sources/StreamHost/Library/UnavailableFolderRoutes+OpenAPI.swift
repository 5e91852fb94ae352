internal import APIDescription
internal import Companion
internal import HTTPServer
internal import MusicShared

extension UnavailableFolderRoutes {
    static let tag = "Library"

    static let operations = [
        operation(
            .post, Routes.removalConfirmation, "confirmRemoval", "Confirm that unavailable folders are gone",
            details: """
                A folder is unavailable if it is not mounted, is a dangling link or cannot be read; its tracks are kept \
                until it is back. So are the tracks of a deleted folder that contained more than half of a library of \
                \(LibraryWatch.largeCount) or more tracks. This marks the missing tracks of the given folders as removed. \
                Nothing is deleted: a file that comes back is the same track again.
                """, role: .owner,
            body: [
                "relative_paths": .array(
                    of: .text(
                        "Path as reported by `/health`; `.` is the music folder.", example: "Archive"),
                    "The folders.", minimumCount: 1, maximumCount: mostFolders)
            ], answer: .json("RemovalReport", "The tracks are marked as removed."),
            errors: [.notUnavailable])
    ]

    static let schemas: [String: JSONSchema] = [
        "UnavailableFolder": [
            "relative_path": .text("Path relative to the music folder; `.` is the music folder itself."),
            "track_count": .integer("Number of tracks that are kept although their files are missing."),
            "reason": .oneOf(UnavailableFolder.Reason.self, "Why it is unavailable."),
            "message": .text("Human-readable reason.", example: "is not mounted"),
        ],
        "RemovalReport": [
            "removed_count": .integer("Number of tracks that are no longer listed."),
            "unavailable_folders": .array(
                of: .named("UnavailableFolder"), "Folders that are still unavailable."),
        ],
    ]
}
