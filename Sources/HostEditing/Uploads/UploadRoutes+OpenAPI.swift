package import APIDescription
internal import HTTPServer
internal import MusicFiles
internal import MusicShared

extension UploadRoutes {
    private static let tag = "Companion"
    private static let identifier = OpenAPIParameter.path(
        "upload_id", "Upload ID.", .text(matching: "^[0-9a-f]{32}$"))

    /// Fields for the tags of the file.
    private static let fields: [(name: String, schema: JSONSchema)] = [
        ("title", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Title; for a single file only.")),
        ("artist", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Artist.")),
        ("album", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Album.")),
        ("album_artist", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Album artist.")),
        (
            "track_number",
            .integer("Track number on the disc; for a single file only.", minimum: 1, maximum: 99_999)
        ),
        ("track_total", .integer("Number of tracks on the disc.", minimum: 1, maximum: 99_999)),
        ("disc_number", .integer("Disc number.", minimum: 1, maximum: 99_999)),
        ("disc_total", .integer("Number of discs in the set.", minimum: 1, maximum: 99_999)),
        ("year", .integer("Year of the recording.", minimum: 1, maximum: 9_999)),
        ("genre", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Genre.")),
        ("comment", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Comment.")),
        ("composer", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Composer.")),
        ("is_compilation", .oneOf(["true", "false"], "Whether the album is a compilation.")),
    ]

    private static let refused = OpenAPIResponse(
        status: .unprocessableContent,
        meaning:
            "Nothing was accepted: `error` has the first reason or the invalid field, `files` the reason for each file.",
        contents: [.json(.named("UploadReport"))])
    private static let tooMany = OpenAPIError(
        status: .serviceUnavailable, code: "too_many_uploads",
        meaning: "Too many uploads are in progress.")
    private static let noSpace = OpenAPIError(
        status: .insufficientStorage, code: "no_space", meaning: "The disk is full.")
    private static let unknownField = OpenAPIError(
        status: .badRequest, code: "unknown_field", meaning: "Unknown field.")
    private static let failed = OpenAPIError(
        status: .internalServerError, code: "write_failed", meaning: "Writing the file failed.")
    private static let noUpload = OpenAPIError(
        status: .notFound, code: "no_such_upload",
        meaning: "There is no upload with this ID, or it has expired.")
    private static let busy = OpenAPIError(
        status: .conflict, code: "upload_busy", meaning: "Another request is sending to this upload.")

    package static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.upload, id: "uploadTrack",
            summary: "Upload files to the music folder",
            details: """
                Accepts a form with any number of MP3 files or zips of them, each in a field of any name, and optional \
                fields for their tags; or a single file as the request body, with its name and those fields in the query. \
                Each file is checked before it is stored: it must be complete and playable. Folder and name are derived from \
                its tags. Nothing is ever replaced: a number is appended to a name that is taken, and audio that is already \
                in the music folder is not stored again, so repeating an upload is safe. From a zip, files with the \
                extension .mp3 are extracted.
                """, tag: tag, access: .key, role: .editor,
            parameters: [.query("filename", "Name of a file sent as the request body.", .text())]
                + fields.map {
                    .query($0.name, "As in the form, for a file sent as the request body.", $0.schema)
                },
            bodyContents: [
                OpenAPIResponse.Content(
                    type: "multipart/form-data",
                    schema: .object(
                        [
                            .always("file", .array(of: .bytes("An MP3 or zip file."), minimumCount: 1)),
                            .maybe("cover", .bytes("Front cover, JPEG or PNG.")),
                        ] + fields.map { .maybe($0.name, $0.schema) })),
                .bytes("audio/mpeg"), .bytes("application/zip"), .bytes("application/octet-stream"),
            ], answer: "The result for each file; at least one was stored or was a duplicate.",
            contents: [.json(.named("UploadReport"))], otherAnswers: [refused],
            errors: [
                unknownField, tooMany, noSpace, failed,
                OpenAPIError(
                    status: .badRequest, code: "missing_field", meaning: "The form contains no file."),
                OpenAPIError(
                    status: .conflict, code: "one_file_only",
                    meaning: "Several files cannot have the same title or track number."),
                OpenAPIError(
                    status: .badRequest, code: "malformed_multipart", meaning: "The form is malformed."),
                OpenAPIError(
                    status: .contentTooLarge, code: "content_too_large", meaning: "The request is too large."),
                OpenAPIError(
                    status: .contentTooLarge, code: "too_many_files",
                    meaning: "The form contains too many files."),
                OpenAPIError(
                    status: .contentTooLarge, code: "multipart_too_large",
                    meaning: "The form has too many parts, or the headers of a part are too long."),
                OpenAPIError(
                    status: .unsupportedMediaType, code: "form_expected",
                    meaning: "The content is neither a form nor a file of an accepted type."),
            ]),
        OpenAPIOperation(
            method: .post, path: Routes.resumableUploads, id: "openUpload",
            summary: "Start a resumable upload",
            details: """
                The file, an MP3 or a zip, is then sent with `PUT` in parts of any size, over any number of connections. \
                Received bytes are kept if a connection breaks or the host stops.
                """, tag: tag, access: .key, role: .editor,
            body: .object([
                .always(
                    "file_name", .text(matching: "^.+$", "Name of the file.", maximumLength: longestName)),
                .always(
                    "byte_count",
                    .integer(
                        "Size of the file in bytes.", minimum: 1, maximum: IntakeLimits().fileBytes,
                        example: 5_000_000)),
                .maybe(
                    "fields",
                    .object(
                        fields.map {
                            .maybe(
                                $0.name,
                                .text(
                                    matching: $0.name == "is_compilation"
                                        ? "^(true|false)?$"
                                        : $0.schema.isNumber
                                            ? "^([1-9][0-9]{0,3})?$" : #"^[^\x00-\x1f\x7f-\x9f]*$"#,
                                    $0.schema.meaning))
                        }
                    ).orNull),
            ]), status: .created, answer: "The upload.", contents: [.json(.named("ResumableUpload"))],
            headers: [.location, offset],
            errors: [
                noSpace, failed,
                OpenAPIError(
                    status: .tooManyRequests, code: "too_many_uploads", meaning: "Too many open uploads."),
                OpenAPIError(
                    status: .contentTooLarge, code: "file_too_large",
                    meaning: "The file is too large."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.resumableUpload, id: "upload",
            summary: "Get the progress of an upload",
            tag: tag, access: .key, role: .editor, parameters: [identifier], answer: "The upload.",
            contents: [.json(.named("ResumableUpload"))], headers: [offset], errors: [noUpload]),
        OpenAPIOperation(
            method: .put, path: Routes.resumableUpload, id: "sendPart",
            summary: "Send the next part of an upload",
            details: """
                When the last byte has arrived, the file is processed as by `POST /upload-track`. With `bytes */SIZE` and no \
                content, the request only triggers that, or returns its result.
                """, tag: tag, access: .key, role: .editor,
            parameters: [
                identifier,
                OpenAPIParameter(
                    name: "Content-Range", place: .header,
                    meaning: "The byte range of this part and the file size; the whole file if omitted.",
                    schema: .text(
                        matching: "^bytes ([0-9]{1,12}-[0-9]{1,12}|\\*)/[0-9]{1,12}$",
                        example: "bytes 0-65535/5000000")),
            ], bodyContents: [.bytes("application/octet-stream")],
            answer: "The updated upload; once complete, with the result for the file.",
            contents: [.json(.named("ResumableUpload"))], headers: [offset], otherAnswers: [refused],
            errors: [
                noUpload, busy, noSpace, failed, tooMany,
                OpenAPIError(
                    status: .conflict, code: "wrong_offset",
                    meaning: "These are not the next bytes; get the upload for its offset."),
                OpenAPIError(
                    status: .rangeNotSatisfiable, code: "invalid_content_range",
                    meaning: "`Content-Range` is malformed."),
                OpenAPIError(
                    status: .rangeNotSatisfiable, code: "wrong_length",
                    meaning: "The content length does not match `Content-Range`."),
                OpenAPIError(
                    status: .lengthRequired, code: "length_required",
                    meaning: "Neither `Content-Range` nor `Content-Length` was sent."),
                OpenAPIError(
                    status: .contentTooLarge, code: "file_too_large",
                    meaning: "The file is larger than announced."),
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.resumableUpload, id: "removeUpload", summary: "Cancel an upload",
            tag: tag, access: .key, role: .editor, parameters: [identifier], status: .noContent,
            answer: "The upload was removed.",
            errors: [noUpload, busy]),
    ]

    private static let offset = OpenAPIResponse.Header(
        name: "Upload-Offset", meaning: "Number of bytes received.", schema: .integer())

    package static let schemas = [
        "UploadReport": JSONSchema.object([
            .always(
                "files", .array(of: .named("UploadedFile"), "The files in the order received.")),
            .always("stored_count", .integer("Number of stored files.")),
            .always(
                "duplicate_count", .integer("Number of files whose audio was already in the music folder.")),
            .always("refused_count", .integer("Number of rejected files.")),
            .always(
                "ignored_count",
                .integer("Number of files in a zip that were ignored, because they are not named .mp3.")),
            .maybe("error", .named("UploadFailure")),
        ]),
        "UploadFailure": .object(
            [
                .always("code", .text("Stable error code.", example: "not_mp3")),
                .always("message", .text("Human-readable message.")),
                .maybe("field", .text("The invalid form field.")),
            ], "Reason why nothing was accepted; omitted if something was."),
        "UploadedFile": .object([
            .always("file_name", .text("The name sent by the client.")),
            .always("status", .oneOf(UploadedFile.Status.allCases.map(\.rawValue), "Result for the file.")),
            .maybe("track_id", .identifier("Track ID.")),
            .maybe("relative_path", .text("Path relative to the music folder.")),
            .maybe("audio_hash", .text("Hash of the audio, 32 hexadecimal digits.")),
            .maybe("duration_seconds", .seconds("Duration")),
            .maybe("code", .text("Stable error code, if the file was rejected.")),
            .maybe("message", .text("Human-readable reason, if the file was rejected.")),
        ]),
        "ResumableUpload": .object([
            .always("upload_id", .text("Upload ID.")),
            .always("file_name", .text("The announced file name.")),
            .always("byte_count", .integer("Size of the file in bytes.", minimum: 1)),
            .always("offset", .integer("Number of bytes received; the next part starts there.")),
            .always("expires_at", .time("Time when the upload expires unless it is continued")),
            .maybe("report", .named("UploadReport")),
        ]),
    ]
}

extension JSONSchema {
    fileprivate var isNumber: Bool { if case .integer = kind { true } else { false } }
}
