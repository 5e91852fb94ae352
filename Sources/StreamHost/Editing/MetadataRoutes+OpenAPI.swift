internal import Companion
internal import HTTPServer
internal import MusicShared
internal import Tagging

extension MetadataRoutes {
    private static let tag = "Tags"

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.editMetadata, id: "metadata", summary: "What can be edited of a track",
            details: "Read from the file itself. One of the two parameters is needed.", tag: tag,
            access: .key,
            parameters: [
                .query("relative_path", "Path in the music folder.", .text(example: "1.mp3")),
                .only("id", "Number of the track."),
            ], answer: "What the tags say; the tag of the answer names the state of the file.",
            contents: [.json(.named("TrackMetadata"))], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter, oneFile, notThere, unreadable, .editConflict]),
        OpenAPIOperation(
            method: .patch, path: Routes.editMetadata, id: "editMetadata",
            summary: "Edits the tags of a track",
            details: """
                A value sets a field, null removes it, what is left out stays. The file is written anew beside the old one and \
                takes its place when it is on the disk; its audio is the same to the byte, and so is what tags hold that is \
                not spoken of. `relative_path` or `id` says which file.
                """, tag: tag, access: .key, parameters: [.ifMatch(isRequired: false)],
            body: .object(fileProperties + fieldProperties), answer: "What the tags say now.",
            contents: [.json(.named("TrackMetadata"))], hasEntityTag: true,
            errors: [oneFile, notThere, noChanges] + OpenAPIError.ofEdit),
        OpenAPIOperation(
            method: .patch, path: Routes.batchEditMetadata, id: "editMetadataOfMany",
            summary: "Edits the tags of many tracks",
            details: """
                Edits of their own in `edits`, or the same `changes` for all files of the lists, or both. Each file is edited \
                wholly or not at all, one after the other; the answer has a result for each as it comes. A client that goes \
                away ends the batch.
                """, tag: tag, access: .key,
            body: .object(
                [
                    .maybe(
                        "edits",
                        .array(
                            of: .object(fileProperties + fieldProperties), "Edits, each of one file.",
                            maximumCount: MetadataBatch.largestCount)),
                    .maybe("changes", .object(fieldProperties, "What to change of all files of the lists.")),
                ] + SelectionLists.properties), answer: "A result for each file.",
            contents: [.json(.named("EditResults"))],
            errors: [oneFile, noChanges, tooMany, nothingSelected, .editValue]),
    ]

    static let schemas = [
        "TrackMetadata": EditSchemas.metadata, "EditResult": EditSchemas.result,
        "EditResults": JSONSchema.object(ResultStream.properties("A result for each file, in order.")),
    ]

    private static let fileProperties: [JSONSchema.Property] = [
        .maybe("relative_path", .text("Path in the music folder.", example: "1.mp3")),
        .maybe("id", .identifier("Number of the track, instead of a path.", example: 1)),
        .maybe(
            "etag",
            .text("The state that the file must be in, as an answer named it; `*` for any.", example: "*")),
    ]

    private static let fieldProperties: [JSONSchema.Property] = [
        .maybe("title", text("Title.", example: "Night Ferry")), .maybe("artist", text("Artist.")),
        .maybe("album", text("Album.")), .maybe("album_artist", text("Artist of the album.")),
        .maybe("track_number", number("Number on the disc.")),
        .maybe("track_total", number("Tracks on the disc.")),
        .maybe("disc_number", number("Number of the disc.")),
        .maybe("disc_total", number("Discs of the set.")),
        .maybe("year", JSONSchema.integer("Year.", minimum: 1, maximum: 9_999).orNull),
        .maybe("genre", text("Genre.")),
        .maybe(
            "comment",
            JSONSchema.text(
                matching:
                    #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
                "Comment; the only text that may have several lines.",
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
        meaning: "Neither `relative_path` nor `id` was given, or they mean different files.")
    private static let notThere = OpenAPIError(
        status: .notFound, code: "not_found",
        meaning: "The music folder has no MP3 of this path, or there is no track of this number.")
    private static let unreadable = OpenAPIError(
        status: .unprocessableContent, code: "unreadable", meaning: "The file cannot be read.")
    private static let noChanges = OpenAPIError(
        status: .unprocessableContent, code: "no_changes", meaning: "No field to change is named.")
    private static let tooMany = OpenAPIError(
        status: .unprocessableContent, code: "too_many_items",
        meaning: "More than \(MetadataBatch.largestCount) files.")
    private static let nothingSelected = OpenAPIError(
        status: .unprocessableContent, code: "nothing_selected", meaning: "No file is named.")
}

extension OpenAPIError {
    static let editConflict = OpenAPIError(
        status: .conflict, code: "busy", meaning: "The file is being written or edited.")
    static let editValue = OpenAPIError(
        status: .unprocessableContent, code: "invalid_value",
        meaning: "Tags cannot hold a value: `field` says which.")

    /// What may keep a file from being edited.
    static let ofEdit = [
        editConflict, editValue,
        OpenAPIError(
            status: .conflict, code: "changed_meanwhile",
            meaning: "Another program changed the file during the edit."),
        OpenAPIError(
            status: .preconditionFailed, code: "state_differs",
            meaning: "The file is not in the state that `If-Match` or `etag` names."),
        OpenAPIError(
            status: .unprocessableContent, code: "not_mp3", meaning: "The file holds no MP3 audio."),
        OpenAPIError(
            status: .unprocessableContent, code: "unsupported_tag",
            meaning: "The file's tags are damaged or too large to be edited without losing something."),
        OpenAPIError(
            status: .unprocessableContent, code: "value_not_kept",
            meaning: "A field would not read back as asked."),
        OpenAPIError(
            status: .unprocessableContent, code: "audio_would_change",
            meaning: "The new file would not hold the same audio."),
        OpenAPIError(status: .forbidden, code: "read_only", meaning: "The file may not be written."),
        OpenAPIError(
            status: .forbidden, code: "cannot_keep_owner",
            meaning: "The edited file could not belong to the same user or group."),
        OpenAPIError(
            status: .insufficientStorage, code: "no_space", meaning: "There is no room for the new file."),
        OpenAPIError(
            status: .internalServerError, code: "write_failed", meaning: "The disk refused to work."),
    ]
}
