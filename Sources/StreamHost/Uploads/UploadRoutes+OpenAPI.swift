internal import Companion
internal import HTTPServer
internal import MusicShared

extension UploadRoutes {
    private static let tag = "Companion"
    private static let identifier = OpenAPIParameter.path(
        "upload_id", "Identifier of the upload.", .text(matching: "^[0-9a-f]{32}$"))

    /// What the tags of the file are to say.
    private static let fields: [(name: String, schema: JSONSchema)] = [
        ("title", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Name of the track; for one file only.")),
        ("artist", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Artist.")),
        ("album", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Album.")),
        ("album_artist", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Artist of the album as a whole.")),
        ("track_number", .integer("Place on the disc; for one file only.", minimum: 1, maximum: 99_999)),
        ("track_total", .integer("Tracks on the disc.", minimum: 1, maximum: 99_999)),
        ("disc_number", .integer("Disc of the set.", minimum: 1, maximum: 99_999)),
        ("disc_total", .integer("Discs of the set.", minimum: 1, maximum: 99_999)),
        ("year", .integer("Year of the recording.", minimum: 1, maximum: 9_999)),
        ("genre", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Genre in words.")),
        ("comment", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Comment.")),
        ("composer", .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, "Composer.")),
    ]

    private static let refused = OpenAPIResponse(
        status: .unprocessableContent,
        meaning: "Nothing was taken: `error` names the first reason, `files` the reason for each file.",
        contents: [.json(.named("UploadReport"))])
    private static let tooMany = OpenAPIError(
        status: .serviceUnavailable, code: "too_many_uploads",
        meaning: "As many uploads as may are under way.")
    private static let noSpace = OpenAPIError(
        status: .insufficientStorage, code: "no_space", meaning: "The disk leaves no room.")
    private static let badField = OpenAPIError(
        status: .badRequest, code: "invalid_field", meaning: "A value cannot stand in a tag.")
    private static let failed = OpenAPIError(
        status: .internalServerError, code: "write_failed", meaning: "The system refused to write.")
    private static let noUpload = OpenAPIError(
        status: .notFound, code: "no_such_upload",
        meaning: "There is no upload of this identifier, or it has run out.")
    private static let busy = OpenAPIError(
        status: .conflict, code: "upload_busy", meaning: "Another request is sending to this upload.")

    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.upload, id: "uploadTrack",
            summary: "Takes files into the music folder",
            details: """
                A form with any number of MP3 files or zips of them, each in a field of whatever name, and with fields that \
                say what their tags are to say; or one file as it is, with its name and those fields in the query. Each file \
                is looked at before it is moved in: it must be whole and playable. Folder and name come from its tags. \
                Nothing is ever replaced: another number is put behind a name that is taken, and audio that the music \
                folder has already is not stored again, so that sending again does no harm. In a zip what is named .mp3 is \
                taken. Other fields are passed over.
                """, tag: tag, access: .key,
            parameters: [.query("filename", "Name of a file that is sent as it is.", .text())]
                + fields.map {
                    .query($0.name, "As in the form, for a file that is sent as it is.", $0.schema)
                },
            bodyContents: [
                OpenAPIResponse.Content(
                    type: "multipart/form-data",
                    schema: .object(
                        [
                            .always("file", .array(of: .bytes("An MP3 file, or a zip."), minimumCount: 1)),
                            .maybe("cover", .bytes("Front cover, JPEG or PNG.")),
                        ] + fields.map { .maybe($0.name, $0.schema) })),
                .bytes("audio/mpeg"), .bytes("application/zip"), .bytes("application/octet-stream"),
            ], answer: "What became of each file: something was taken, or was there already.",
            contents: [.json(.named("UploadReport"))], otherAnswers: [refused],
            errors: [
                badField, tooMany, noSpace, failed,
                OpenAPIError(status: .badRequest, code: "missing_field", meaning: "The form holds no file."),
                OpenAPIError(
                    status: .conflict, code: "one_file_only",
                    meaning: "Several files cannot have the same title or number."),
                OpenAPIError(
                    status: .badRequest, code: "malformed_multipart", meaning: "The form cannot be read."),
                OpenAPIError(
                    status: .contentTooLarge, code: "content_too_large", meaning: "The request is too large."),
                OpenAPIError(
                    status: .contentTooLarge, code: "too_many_files",
                    meaning: "The form holds too many files."),
                OpenAPIError(
                    status: .contentTooLarge, code: "multipart_too_large",
                    meaning: "The form has too many parts, or too much stands before one."),
                OpenAPIError(
                    status: .unsupportedMediaType, code: "form_expected",
                    meaning: "The content is neither a form nor a file of a type that is taken."),
            ]),
        OpenAPIOperation(
            method: .post, path: Routes.resumableUploads, id: "openUpload",
            summary: "Opens an upload that is sent in parts",
            details: """
                The file, an MP3 or a zip, is then sent by `PUT` in parts of any size, over any number of connections. What \
                has come stays when a connection or the host ends.
                """, tag: tag, access: .key,
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
                                    matching: $0.schema.isNumber
                                        ? "^([1-9][0-9]{0,3})?$" : #"^[^\x00-\x1f\x7f-\x9f]*$"#,
                                    $0.schema.meaning))
                        }
                    ).orNull),
            ]), status: .created, answer: "The upload.", contents: [.json(.named("ResumableUpload"))],
            headers: [.location, offset],
            errors: [
                noSpace, failed,
                OpenAPIError(
                    status: .tooManyRequests, code: "too_many_uploads", meaning: "Too many uploads are open."),
                OpenAPIError(
                    status: .contentTooLarge, code: "file_too_large",
                    meaning: "The file is larger than is taken."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.resumableUpload, id: "upload", summary: "How far an upload has come",
            tag: tag, access: .key, parameters: [identifier], answer: "The upload.",
            contents: [.json(.named("ResumableUpload"))], headers: [offset], errors: [noUpload]),
        OpenAPIOperation(
            method: .put, path: Routes.resumableUpload, id: "sendPart",
            summary: "Adds the next bytes of an upload",
            details: """
                With the last byte the file is taken in, as by `POST /upload-track`. Sent with `bytes */SIZE` and nothing \
                else, the request only asks for that, or for what came of it.
                """, tag: tag, access: .key,
            parameters: [
                identifier,
                OpenAPIParameter(
                    name: "Content-Range", place: .header,
                    meaning: "Which bytes these are, and of how many; the whole file where it is left out.",
                    schema: .text(
                        matching: "^bytes ([0-9]{1,12}-[0-9]{1,12}|\\*)/[0-9]{1,12}$",
                        example: "bytes 0-65535/5000000")),
            ], bodyContents: [.bytes("application/octet-stream")],
            answer: "The upload as it is now, with what became of the file once it is complete.",
            contents: [.json(.named("ResumableUpload"))], headers: [offset], otherAnswers: [refused],
            errors: [
                noUpload, busy, noSpace, failed, badField, tooMany,
                OpenAPIError(
                    status: .conflict, code: "wrong_offset",
                    meaning: "The bytes are not those that come next: ask for the upload."),
                OpenAPIError(
                    status: .rangeNotSatisfiable, code: "invalid_content_range",
                    meaning: "`Content-Range` cannot be read."),
                OpenAPIError(
                    status: .rangeNotSatisfiable, code: "wrong_length",
                    meaning: "The content is not as long as `Content-Range` says."),
                OpenAPIError(
                    status: .lengthRequired, code: "length_required",
                    meaning: "Neither `Content-Range` nor `Content-Length` was sent."),
                OpenAPIError(
                    status: .contentTooLarge, code: "file_too_large",
                    meaning: "There are more bytes than were announced."),
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.resumableUpload, id: "removeUpload", summary: "Gives an upload up",
            tag: tag, access: .key, parameters: [identifier], status: .noContent, answer: "It is gone.",
            errors: [noUpload, busy]),
    ]

    private static let offset = OpenAPIResponse.Header(
        name: "Upload-Offset", meaning: "How many bytes of the file are here.", schema: .integer())

    static let schemas = [
        "UploadReport": JSONSchema.object([
            .always(
                "files", .array(of: .named("UploadedFile"), "Each file, in the order in which they came.")),
            .always("stored_count", .integer("Files that are in the music folder now.")),
            .always("duplicate_count", .integer("Files whose audio the music folder had already.")),
            .always("refused_count", .integer("Files that were not taken.")),
            .always("ignored_count", .integer("Files of a zip that are not said to be music.")),
            .maybe("error", .named("UploadFailure")),
        ]),
        "UploadFailure": .object(
            [
                .always("code", .text("Name of the error, for programs.", example: "not_mp3")),
                .always("message", .text("What happened, for a person.")),
                .maybe("field", .text("The field of the form at fault.")),
            ], "Why nothing was taken; left out where something was."),
        "UploadedFile": .object([
            .always("file_name", .text("The name that it came with.")),
            .always("status", .oneOf(UploadedFile.Status.allCases.map(\.rawValue), "What became of it.")),
            .maybe("track_id", .identifier("Number of the track.")),
            .maybe("relative_path", .text("Path in the music folder.")),
            .maybe("audio_hash", .text("What the file sounds like, in 32 hexadecimal digits.")),
            .maybe("duration_seconds", .seconds("How long it plays")),
            .maybe("code", .text("Name of the reason for a refusal, for programs.")),
            .maybe("message", .text("The reason for a refusal, for a person.")),
        ]),
        "ResumableUpload": .object([
            .always("upload_id", .text("Its identifier.")),
            .always("file_name", .text("The name that was announced.")),
            .always("byte_count", .integer("Size of the file in bytes.", minimum: 1)),
            .always("offset", .integer("How many bytes are here: the next part begins there.")),
            .always("expires_at", .time("When it is forgotten unless something is added")),
            .maybe("report", .named("UploadReport")),
        ]),
    ]
}

extension JSONSchema {
    fileprivate var isNumber: Bool { if case .integer = kind { true } else { false } }
}
