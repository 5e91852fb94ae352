package import APIDescription
internal import HTTPServer
internal import MusicShared
internal import Tagging

extension MetadataRoutes {
    private static let tag = "Tags"

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.editMetadata, id: "metadata",
            summary: "Get the editable metadata of a track",
            details: "Read from the file itself. One of the two parameters is required.", tag: tag,
            access: .key,
            parameters: [
                .query("relative_path", "Path relative to the music folder.", .text(example: "1.mp3")),
                .only("id", "Track ID."),
            ], answer: "The tags; the ETag identifies the state of the file.",
            contents: [.json(.named("TrackMetadata"))], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter, oneFile, notThere, unreadable, .editConflict]),
        OpenAPIOperation(
            method: .patch, path: Routes.editMetadata, id: "editMetadata",
            summary: "Edit the tags of a track",
            details: """
                A value sets a field, null removes it, omitted fields stay unchanged. The new file is written next to the old one \
                and replaces it once it is on disk. Its audio stays identical to the byte, and so do all other tag contents. \
                `relative_path` or `id` specifies the file.
                """, tag: tag, access: .key, role: .editor, parameters: [.ifMatch(isRequired: false)],
            body: .object(fileProperties + fieldProperties), answer: "The updated tags.",
            contents: [.json(.named("TrackMetadata"))], hasEntityTag: true,
            errors: [oneFile, notThere, noChanges] + OpenAPIError.ofEdit),
        OpenAPIOperation(
            method: .patch, path: Routes.batchEditMetadata, id: "editMetadataOfMany",
            summary: "Edit the tags of many tracks",
            details: """
                Individual edits in `edits`, or the same `changes` for all files of the lists, or both. Files are edited one after \
                the other, each atomically; the response streams a result for each file. If the client disconnects, the batch ends.
                """, tag: tag, access: .key, role: .editor,
            body: .object(
                [
                    .maybe(
                        "edits",
                        .array(
                            of: .object(fileProperties + fieldProperties), "Individual edits, one per file.",
                            maximumCount: MetadataBatch.largestCount)),
                    .maybe("changes", .object(fieldProperties, "Changes for all files of the lists.")),
                ] + SelectionLists.properties), answer: "A result for each file.",
            contents: [.json(.named("EditResults"))],
            errors: [oneFile, noChanges, tooMany, nothingSelected, .editValue]),
    ]

    package static let schemas = [
        "TrackMetadata": EditSchemas.metadata, "EditResult": EditSchemas.result,
        "EditResults": JSONSchema.object(ResultStream.properties("A result for each file, in order.")),
    ]

    private static let fileProperties: [JSONSchema.Property] = [
        .maybe("relative_path", .text("Path relative to the music folder.", example: "1.mp3")),
        .maybe("id", .identifier("Track ID, instead of a path.", example: 1)),
        .maybe(
            "etag",
            .text("The state that the file must be in, from an earlier response; `*` for any.", example: "*")),
    ]

    private static let fieldProperties: [JSONSchema.Property] = [
        .maybe("title", text("Title.", example: "Night Ferry")), .maybe("artist", text("Artist.")),
        .maybe("album", text("Album.")), .maybe("album_artist", text("Album artist.")),
        .maybe("track_number", number("Track number on the disc.")),
        .maybe("track_total", number("Number of tracks on the disc.")),
        .maybe("disc_number", number("Disc number.")),
        .maybe("disc_total", number("Number of discs in the set.")),
        .maybe("year", JSONSchema.integer("Year.", minimum: 1, maximum: 9_999).orNull),
        .maybe("genre", text("Genre.")),
        .maybe(
            "comment",
            JSONSchema.text(
                matching:
                    #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
                "Comment; the only text that may have multiple lines.",
                maximumLength: TagEdit.maximumTextBytes
            ).orNull),
        .maybe("composer", text("Composer.")),
        .maybe(
            "cover",
            JSONSchema.text("Front cover: a JPEG or PNG picture of up to 16 MiB, in Base64.").orNull),
        .maybe("is_compilation", JSONSchema.flag("Whether the album is a compilation.").orNull),
    ]

    private static func text(_ meaning: String, example: String? = nil) -> JSONSchema {
        JSONSchema.text(
            matching: #"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"#, meaning,
            maximumLength: TagEdit.maximumTextBytes, example: example
        ).orNull
    }

    private static func number(_ meaning: String) -> JSONSchema {
        JSONSchema.integer(meaning, minimum: 1, maximum: 99_999).orNull
    }

    private static let oneFile = OpenAPIError(
        status: .unprocessableContent, code: "one_file_expected",
        meaning: "Neither `relative_path` nor `id` was given, or they refer to different files.")
    private static let notThere = OpenAPIError(
        status: .notFound, code: "no_such_track",
        meaning: "There is no MP3 at this path, or no track with this ID.")
    private static let unreadable = OpenAPIError(
        status: .unprocessableContent, code: "unreadable", meaning: "The file's tags could not be read.")
    private static let noChanges = OpenAPIError(
        status: .unprocessableContent, code: "no_changes", meaning: "No field to change was given.")
    private static let tooMany = OpenAPIError(
        status: .unprocessableContent, code: "too_many_items",
        meaning: "More than \(MetadataBatch.largestCount) files.")
    private static let nothingSelected = OpenAPIError(
        status: .unprocessableContent, code: "nothing_selected", meaning: "No file was given.")
}

extension OpenAPIError {
    static let editConflict = OpenAPIError(
        status: .conflict, code: "busy", meaning: "The file is being written or edited.")
    static let editValue = OpenAPIError(
        status: .unprocessableContent, code: "invalid_value",
        meaning: "A value cannot be stored in tags; `field` names it.")

    /// Reasons why a file cannot be edited.
    static let ofEdit = [
        editConflict, editValue,
        OpenAPIError(
            status: .conflict, code: "changed_meanwhile",
            meaning: "The file was changed by another program during the edit."),
        OpenAPIError(
            status: .preconditionFailed, code: "state_differs",
            meaning: "The file has changed (ETag mismatch)."),
        OpenAPIError(
            status: .unprocessableContent, code: "not_mp3", meaning: "The file does not contain MP3 audio."),
        OpenAPIError(
            status: .unprocessableContent, code: "unsupported_tag",
            meaning: "The file's tags are damaged or too large to edit without data loss."),
        OpenAPIError(
            status: .unprocessableContent, code: "value_not_kept",
            meaning: "A field would not read back as requested."),
        OpenAPIError(
            status: .unprocessableContent, code: "audio_would_change",
            meaning: "The edited file would not contain the same audio."),
        OpenAPIError(status: .forbidden, code: "read_only", meaning: "The file is read-only."),
        OpenAPIError(
            status: .forbidden, code: "cannot_keep_owner",
            meaning: "The file's owner or group could not be preserved."),
        OpenAPIError(
            status: .insufficientStorage, code: "no_space",
            meaning: "There is not enough disk space for the new file."),
        OpenAPIError(
            status: .internalServerError, code: "write_failed", meaning: "Writing the file failed."),
    ]
}
