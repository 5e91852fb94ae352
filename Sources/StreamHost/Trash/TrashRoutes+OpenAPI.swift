internal import HTTPServer
internal import MusicShared

extension TrashRoutes {
    private static let tag = "Companion"
    private static let identifier = OpenAPIParameter.path(
        "trash_id", "Identifier of the file in the trash.", .text(matching: "^[0-9]{14}-[0-9a-f]{8}$"))
    private static let notInTrash = OpenAPIError(
        status: .notFound, code: "not_in_trash", meaning: "The trash holds nothing of this identifier.")
    private static let moving = [
        OpenAPIError(
            status: .conflict, code: "folder_blocked", meaning: "The path leads over a link."),
        OpenAPIError(
            status: .conflict, code: "read_only", meaning: "The music folder may not be written."),
        OpenAPIError(status: .insufficientStorage, code: "no_space", meaning: "The disk leaves no room."),
        OpenAPIError(
            status: .internalServerError, code: "trash_failed",
            meaning: "The system refused to move the file."),
    ]

    static let operations = [
        OpenAPIOperation(
            method: .delete, path: Routes.trackFile, id: "removeTrack",
            summary: "Puts a track's file into the trash",
            details: """
                The trash is the folder `.trash` in the music folder, where files keep their paths. The track keeps its \
                number, its analysis and its places in playlists: restored, it is as it was.
                """, tag: tag, access: .key, parameters: [.trackID],
            answer: "The file in the trash.", contents: [.json(.named("TrashItem"))],
            errors: [
                .noTrack,
                OpenAPIError(status: .notFound, code: "file_missing", meaning: "The file is gone."),
                OpenAPIError(status: .conflict, code: "busy", meaning: "The file is being edited."),
            ] + moving),
        OpenAPIOperation(
            method: .get, path: Routes.trash, id: "trash", summary: "What the trash holds, the newest first",
            tag: tag, access: .key, parameters: OpenAPIParameter.page(), answer: "The files.",
            contents: [.json(.named("TrashPage"))], errors: [.badParameter, .unknownParameter]),
        OpenAPIOperation(
            method: .post, path: Routes.restoration, id: "restoreTrack",
            summary: "Gives a file of the trash its place back", tag: tag, access: .key,
            parameters: [identifier], answer: "The track.", contents: [.json(.named("RestoredTrack"))],
            errors: [
                notInTrash,
                OpenAPIError(
                    status: .conflict, code: "path_taken", meaning: "Another file has its path by now."),
            ] + moving),
        OpenAPIOperation(
            method: .delete, path: Routes.trashItem, id: "deleteFromTrash",
            summary: "Deletes a file of the trash for good", tag: tag, access: .key, parameters: [identifier],
            status: .noContent, answer: "It is gone.", errors: [notInTrash]),
        OpenAPIOperation(
            method: .delete, path: Routes.trash, id: "emptyTrash",
            summary: "Deletes all files of the trash for good", tag: tag, access: .key, status: .noContent,
            answer: "They are gone."),
    ]

    static let schemas = [
        "TrashItem": JSONSchema.object([
            .always("trash_id", .text("Its identifier in the trash.")),
            .always("relative_path", .text("The path that it had in the music folder.")),
            .always("file_size_bytes", .integer("Its size in bytes.")),
            .always("trashed_at", .time("When it was put there")),
            .maybe("track_id", .identifier("Number of the track.")),
        ]),
        "TrashPage": .object([
            .always("items", .array(of: .named("TrashItem"), "The files.")),
            .always("total", .integer("How many the trash holds.")),
            .always("limit", .integer("The most that were asked for.", minimum: 1)),
            .always("offset", .integer("How many were left out at the beginning.")),
        ]),
        "RestoredTrack": .object([
            .maybe("track_id", .identifier("Number of the track.")),
            .always("relative_path", .text("Its path in the music folder.")),
        ]),
    ]
}
