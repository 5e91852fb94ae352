package import APIDescription
internal import HTTPServer
internal import MusicFiles
internal import MusicShared

extension UploadRoutes {
    package static let tag = "Companion"
    private static let identifier = OpenAPIParameter.path(
        "upload_id", "Upload ID.", .text(matching: "^[0-9a-f]{32}$"))

    /// A text without control characters.
    private static func text(_ meaning: String) -> JSONSchema {
        .text(matching: #"^[^\x00-\x1f\x7f-\x9f]*$"#, meaning).optional
    }

    private static func number(_ meaning: String, upTo largest: Int = 99_999) -> JSONSchema {
        .integer(meaning, minimum: 1, maximum: largest).optional
    }

    /// Fields for the tags of the file.
    private static let fields: JSONSchema = [
        "title": text("Title; for a single file only."), "artist": text("Artist."), "album": text("Album."),
        "album_artist": text("Album artist."),
        "track_number": number("Track number on the disc; for a single file only."),
        "track_total": number("Number of tracks on the disc."), "disc_number": number("Disc number."),
        "disc_total": number("Number of discs in the set."),
        "year": number("Year of the recording.", upTo: 9_999), "genre": text("Genre."),
        "comment": text("Comment."), "composer": text("Composer."),
        "is_compilation": .oneOf(["true", "false"], "Whether the album is a compilation.").optional,
    ]

    /// The fields as texts, each of which may be empty.
    private static let fieldTexts = JSONSchema(
        kind: .object(
            fields.properties.map { field in
                let pattern =
                    switch field.schema.kind {
                    case .integer: "^([1-9][0-9]{0,3})?$"
                    default:
                        field.name == "is_compilation" ? "^(true|false)?$" : #"^[^\x00-\x1f\x7f-\x9f]*$"#
                    }
                return JSONSchema.Property(
                    name: field.name, schema: .text(matching: pattern, field.schema.meaning),
                    isRequired: false)
            }))

    private static let refused = OpenAPIResponse(
        status: .unprocessableContent,
        meaning:
            "Nothing was accepted: `error` has the first reason or the invalid field, `files` the reason for each file.",
        contents: [.json(.named("UploadReport"))])

    package static let operations = [
        operation(
            .post, Routes.upload, "uploadTrack", "Upload files to the music folder",
            details: """
                Accepts a form with any number of MP3 and FLAC files or zips of them, each in a field of any name, and optional \
                fields for their tags; or a single file as the request body, with its name and those fields in the query. \
                Each file is checked before it is stored: it must be complete and playable. Folder and name are derived from \
                its tags. Nothing is ever replaced: a number is appended to a name that is taken, and audio that is already \
                in the music folder is not stored again, so repeating an upload is safe. From a zip, files with the \
                extension .mp3, .flac or .m4a are extracted.
                """, role: .editor,
            parameters: [
                OpenAPIParameter.query("filename", "Name of a file sent as the request body.", .text())
            ]
                + fields.properties.map {
                    .query($0.name, "As in the form, for a file sent as the request body.", $0.schema)
                },
            bodyContents: [
                OpenAPIResponse.Content(
                    type: "multipart/form-data",
                    schema: [
                        "file": .array(of: .bytes("An MP3, FLAC or zip file."), minimumCount: 1),
                        "cover": .bytes("Front cover, JPEG or PNG.").optional,
                    ] + fields),
                .bytes("audio/mpeg"), .bytes("audio/flac"), .bytes("application/zip"),
                .bytes("application/octet-stream"),
            ],
            answer: .json(
                "UploadReport", "The result for each file; at least one was stored or was a duplicate."),
            otherAnswers: [refused],
            errors: [
                .unknownField, .tooManyUploads, .noSpace, .writeFailed,
                .missingField.when("The form contains no file."), .oneFileOnly, .malformedMultipart,
                .contentTooLarge.when("The request is too large."), .tooManyFiles, .multipartTooLarge,
                .formExpected,
            ]),
        operation(
            .post, Routes.resumableUploads, "openUpload", "Start a resumable upload",
            details: """
                The file, an MP3, a FLAC file or a zip, is then sent with `PUT` in parts of any size, over any number of connections. \
                Received bytes are kept if a connection breaks or the host stops.
                """, role: .editor,
            body: [
                "file_name": .text(matching: "^.+$", "Name of the file.", maximumLength: longestName),
                "byte_count": .integer(
                    "Size of the file in bytes.", minimum: 1, maximum: IntakeLimits().fileBytes,
                    example: 5_000_000),
                "fields": fieldTexts.orNull.optional,
            ], answer: .json("ResumableUpload", "The upload.").with(.created, .location, offset),
            errors: [.noSpace, .writeFailed, .tooManyOpenUploads, .fileTooLarge]),
        operation(
            .get, Routes.resumableUpload, "upload", "Get the progress of an upload", role: .editor,
            parameters: [identifier], answer: .json("ResumableUpload", "The upload.").with(nil, offset),
            errors: [.noSuchUpload]),
        operation(
            .put, Routes.resumableUpload, "sendPart", "Send the next part of an upload",
            details: """
                When the last byte has arrived, the file is processed as by `POST /upload-track`. With `bytes */SIZE` and no \
                content, the request only triggers that, or returns its result.
                """, role: .editor,
            parameters: [
                identifier,
                OpenAPIParameter(
                    name: "Content-Range", place: .header,
                    meaning: "The byte range of this part and the file size; the whole file if omitted.",
                    schema: .text(
                        matching: "^bytes ([0-9]{1,12}-[0-9]{1,12}|\\*)/[0-9]{1,12}$",
                        example: "bytes 0-65535/5000000")),
            ], bodyContents: [.bytes("application/octet-stream")],
            answer: .json(
                "ResumableUpload", "The updated upload; once complete, with the result for the file."
            ).with(nil, offset), otherAnswers: [refused],
            errors: [
                .noSuchUpload, .uploadBusy, .noSpace, .writeFailed, .tooManyUploads, .wrongOffset,
                .invalidContentRange, .wrongLength, .lengthRequired,
                .fileTooLarge.when("The file is larger than announced."),
            ]),
        operation(
            .delete, Routes.resumableUpload, "removeUpload", "Cancel an upload", role: .editor,
            parameters: [identifier], answer: .done("The upload was removed."),
            errors: [.noSuchUpload, .uploadBusy]),
    ]

    private static let offset = OpenAPIResponse.Header(
        name: "Upload-Offset", meaning: "Number of bytes received.", schema: .integer())

    package static let schemas: [String: JSONSchema] = [
        "UploadReport": [
            "files": .array(of: .named("UploadedFile"), "The files in the order received."),
            "stored_count": .integer("Number of stored files."),
            "duplicate_count": .integer("Number of files whose audio was already in the music folder."),
            "refused_count": .integer("Number of rejected files."),
            "ignored_count": .integer(
                "Number of files in a zip that were ignored, because they are not named .mp3, .flac or .m4a."),
            "error": .named("UploadFailure").optional,
        ],
        "UploadFailure": .object(
            [
                "code": .text("Stable error code.", example: "no_audio"),
                "message": .text("Human-readable message."),
                "field": .text("The invalid form field.").optional,
            ], "Reason why nothing was accepted; omitted if something was."),
        "UploadedFile": [
            "file_name": .text("The name sent by the client."),
            "status": .oneOf(UploadedFile.Status.self, "Result for the file."),
            "track_id": .identifier("Track ID.").optional,
            "relative_path": .text("Path relative to the music folder.").optional,
            "audio_hash": .text("Hash of the audio, 32 hexadecimal digits.").optional,
            "duration_seconds": .seconds("Duration").optional,
            "code": .text("Stable error code, if the file was rejected.").optional,
            "message": .text("Human-readable reason, if the file was rejected.").optional,
        ],
        "ResumableUpload": [
            "upload_id": .text("Upload ID."),
            "file_name": .text("The announced file name."),
            "byte_count": .integer("Size of the file in bytes.", minimum: 1),
            "offset": .integer("Number of bytes received; the next part starts there."),
            "expires_at": .time("Time when the upload expires unless it is continued"),
            "report": .named("UploadReport").optional,
        ],
    ]
}
