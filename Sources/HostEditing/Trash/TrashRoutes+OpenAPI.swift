package import APIDescription
internal import HTTPServer
internal import MusicShared

extension TrashRoutes {
    private static let tag = "Companion"
    private static let identifier = OpenAPIParameter.path(
        "trash_id", "ID of the file in the trash.", .text(matching: "^[0-9]{14}-[0-9a-f]{8}$"))
    private static let notInTrash = OpenAPIError(
        status: .notFound, code: "not_in_trash", meaning: "There is no file with this ID in the trash.")
    private static let moving = [
        OpenAPIError(
            status: .conflict, code: "folder_blocked", meaning: "The path contains a symbolic link."),
        OpenAPIError(
            status: .conflict, code: "read_only", meaning: "The music folder is read-only."),
        OpenAPIError(status: .insufficientStorage, code: "no_space", meaning: "The disk is full."),
        OpenAPIError(
            status: .internalServerError, code: "trash_failed",
            meaning: "Moving the file failed."),
    ]

    package static let operations = [
        OpenAPIOperation(
            method: .delete, path: Routes.trackFile, id: "removeTrack",
            summary: "Move a track's file to the trash",
            details: """
                The trash is the folder `.trash` in the music folder, where files keep their paths. The track keeps its ID, its \
                analysis and its playlist entries, which are all back once it is restored.
                """, tag: tag, access: .key, role: .editor, parameters: [.trackID],
            answer: "The file in the trash.", contents: [.json(.named("TrashItem"))],
            errors: [
                .noTrack,
                OpenAPIError(status: .notFound, code: "file_missing", meaning: "The file does not exist."),
                OpenAPIError(status: .conflict, code: "busy", meaning: "The file is being edited."),
            ] + moving),
        OpenAPIOperation(
            method: .get, path: Routes.trash, id: "trash", summary: "List the trash, newest first",
            tag: tag, access: .key, role: .editor, parameters: OpenAPIParameter.page(), answer: "The files.",
            contents: [.json(.named("TrashPage"))], errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .post, path: Routes.restoration, id: "restoreTrack",
            summary: "Restore a file from the trash", tag: tag, access: .key, role: .editor,
            parameters: [identifier], answer: "The track.", contents: [.json(.named("RestoredTrack"))],
            errors: [
                notInTrash,
                OpenAPIError(
                    status: .conflict, code: "path_taken", meaning: "Another file is now at its path."),
            ] + moving),
        OpenAPIOperation(
            method: .delete, path: Routes.trashItem, id: "deleteFromTrash",
            summary: "Permanently delete a file from the trash", tag: tag, access: .key, role: .owner,
            parameters: [identifier],
            status: .noContent, answer: "The file was deleted.", errors: [notInTrash]),
        OpenAPIOperation(
            method: .delete, path: Routes.trash, id: "emptyTrash",
            summary: "Empty the trash", tag: tag, access: .key, role: .owner, status: .noContent,
            answer: "The files were deleted."),
    ]

    package static let schemas = [
        "TrashItem": JSONSchema.object([
            .always("trash_id", .text("ID in the trash.")),
            .always("relative_path", .text("Original path relative to the music folder.")),
            .always("file_size_bytes", .integer("Size in bytes.")),
            .always("trashed_at", .time("Time when it was moved to the trash")),
            .maybe("track_id", .identifier("Track ID.")),
        ]),
        "TrashPage": .object([
            .always("items", .array(of: .named("TrashItem"), "The files.")),
            .always("total", .integer("Total number of files in the trash.")),
            .always("limit", .integer("The requested maximum number of items.", minimum: 1)),
            .always("offset", .integer("Number of skipped items.")),
        ]),
        "RestoredTrack": .object([
            .maybe("track_id", .identifier("Track ID.")),
            .always("relative_path", .text("Path relative to the music folder.")),
        ]),
    ]
}
