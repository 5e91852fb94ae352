package import APIDescription
internal import HTTPServer
internal import MusicShared

extension TrashRoutes {
    package static let tag = "Companion"
    private static let identifier = OpenAPIParameter.path(
        "trash_id", "ID of the file in the trash.", .text(matching: "^[0-9]{14}-[0-9a-f]{8}$"))
    private static let moving = [
        APIError.folderBlocked,
        APIError.readOnly,
        APIError.noSpace.when("The disk is full."),
        APIError.trashFailed,
    ]

    package static let operations = [
        operation(
            .delete, Routes.trackFile, "removeTrack", "Move a track's file to the trash",
            details: """
                The trash is the folder `.trash` in the music folder, where files keep their paths. The track keeps its ID, its \
                analysis and its playlist entries, which are all back once it is restored.
                """, role: .editor,
            answer: .json("TrashItem", "The file in the trash."),
            errors: [
                .noSuchTrack,
                .fileMissing.when("The file does not exist."),
                .fileBusy.when("The file is being edited."),
                .partOfFile,
            ] + moving),
        operation(
            .get, Routes.trash, "trash", "List the trash, newest first", role: .editor,
            parameters: [Query.limit, Query.offset], answer: .json("TrashPage", "The files.")),
        operation(
            .post, Routes.restoration, "restoreTrack", "Restore a file from the trash", role: .editor,
            parameters: [identifier], answer: .json("RestoredTrack", "The track."),
            errors: [.notInTrash, .pathTaken] + moving),
        operation(
            .delete, Routes.trashItem, "deleteFromTrash", "Permanently delete a file from the trash",
            role: .owner, parameters: [identifier], answer: .done("The file was deleted."),
            errors: [.notInTrash]),
        operation(
            .delete, Routes.trash, "emptyTrash", "Empty the trash", role: .owner,
            answer: .done("The files were deleted.")),
    ]

    package static let schemas: [String: JSONSchema] = [
        "TrashItem": [
            "trash_id": .text("ID in the trash."),
            "relative_path": .text("Original path relative to the music folder."),
            "file_size_bytes": .integer("Size in bytes."),
            "trashed_at": .time("Time when it was moved to the trash"),
            "track_id": .identifier("Track ID.").optional,
        ],
        "TrashPage": .page(of: .named("TrashItem")),
        "RestoredTrack": [
            "track_id": .identifier("Track ID.").optional,
            "relative_path": .text("Path relative to the music folder."),
        ],
    ]
}
