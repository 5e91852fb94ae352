package import APIDescription
internal import HTTPServer
internal import MusicShared

extension LyricsRoutes {
    private static let tag = "Lyrics"
    private static let sources = LyricsSource.allCases.map(\.rawValue)
    private static let code = JSONSchema.text(
        matching: "^[a-z]{3}$", "Language code (ISO 639-2).", example: "eng")

    private static let choice = [
        OpenAPIParameter.query("source", "Only lyrics from this source.", .oneOf(sources)),
        .query("language", "Preferred language.", code),
        .query(
            "all", "Whether `alternatives` lists the track's other lyrics.",
            .oneOf(["true", "false"])),
        .query(
            "format",
            "`lrc` returns plain LRC text, as does an `Accept` with `text/plain` but not JSON; other sources are converted "
                + "to LRC. `all` then has no effect.", .oneOf(["json", "lrc"])),
    ]
    private static let target = OpenAPIParameter.query(
        "target",
        "Where to store the lyrics; by default where the track's lyrics are now, or an `.lrc` file if it has none.",
        .oneOf(sources))
    private static let content = [OpenAPIResponse.Content.json(.named("TrackLyrics"))]
    private static let anyContent = content + [.text("text/plain")]
    private static let notAsText = OpenAPIError(
        status: .unprocessableContent, code: "invalid_lyrics",
        meaning: "The lines cannot be represented as LRC.")

    private static let noLyrics = OpenAPIError(
        status: .notFound, code: "no_lyrics", meaning: "The track has no lyrics, or none from this source.")
    private static let noPath = OpenAPIError(
        status: .notFound, code: "no_such_track", meaning: "There is no MP3 at this path in the music folder."
    )
    private static let change = [
        OpenAPIError.badParameter, .missingParameter, .unknownParameter, noPath, noLyrics,
        OpenAPIError(
            status: .preconditionFailed, code: "changed_meanwhile",
            meaning: "The lyrics have changed (ETag mismatch)."),
        OpenAPIError(
            status: .conflict, code: "read_only", meaning: "The file or its folder is read-only."),
        OpenAPIError(
            status: .serviceUnavailable, code: "busy", meaning: "The file is in use by another program."),
        OpenAPIError(status: .insufficientStorage, code: "no_space", meaning: "The disk is full."),
        OpenAPIError(
            status: .unprocessableContent, code: "unsupported_tag", meaning: "The tags cannot be edited."),
        OpenAPIError(
            status: .internalServerError, code: "system_failed", meaning: "Writing the file failed."),
    ]

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.lyrics, id: "lyricsAt", summary: "Get a track's lyrics by path",
            details:
                "Returns the best lyrics: synced before unsynced; then the `.lrc` file next to the track before "
                + "its tags, and `SYLT` before `USLT`.",
            tag: tag, access: .key, parameters: [.relativePath] + choice, answer: "The lyrics.",
            contents: anyContent,
            hasEntityTag: true,
            errors: [.badParameter, .missingParameter, .unknownParameter, noPath, noLyrics, notAsText]),
        OpenAPIOperation(
            method: .get, path: Routes.trackLyrics, id: "lyrics", summary: "Get the lyrics of a track",
            tag: tag,
            parameters: [.trackID] + choice + [.emptyForMissing], answer: "The lyrics.",
            contents: anyContent,
            otherAnswers: [.missing], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter, .noTrack, noLyrics, notAsText]),
        OpenAPIOperation(
            method: .put, path: Routes.lyrics, id: "setLyrics",
            summary: "Write lyrics, or change the offset of existing ones",
            details:
                "Accepts JSON, or LRC as `text/plain`. "
                + "Writes to the `.lrc` file, in UTF-8, or to the tags; the audio stays unchanged. An offset alone only "
                + "changes `[offset:]`. `SYLT` has no offset: its times are shifted, which requires `If-Match`.",
            tag: tag, access: .key, role: .editor,
            parameters: [.relativePath, target, .ifMatch(isRequired: false)],
            body: body, bodyContents: [.text("text/plain")],
            answer: "The lyrics as stored.", contents: content, hasEntityTag: true,
            errors: change + [
                OpenAPIError(
                    status: .unprocessableContent, code: "invalid_lyrics",
                    meaning: "Lines, text or times cannot be stored exactly."),
                OpenAPIError(
                    status: .unprocessableContent, code: "not_synced",
                    meaning: "The lyrics have no times, but times are required."),
                OpenAPIError(
                    status: .preconditionRequired, code: "precondition_required",
                    meaning: "`If-Match` is missing; it is required to shift the times of `SYLT`."),
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.lyrics, id: "removeLyrics", summary: "Delete lyrics",
            details: "Deletes the `.lrc` file, or all frames of one kind from the tags.", tag: tag,
            access: .key, role: .editor,
            parameters: [
                .query(
                    "relative_path", "Path of the track relative to the music folder, as in the catalogue.",
                    .text(example: "2.mp3"), isRequired: true), target,
                .query("language", "Only lyrics in this language; for tags.", code),
                .ifMatch(isRequired: false),
            ], status: .noContent, answer: "The lyrics were deleted.",
            otherAnswers: [
                OpenAPIResponse(
                    status: .ok, meaning: "The lyrics were deleted; these remain in other languages.",
                    contents: content, headers: [.entityTag])
            ], errors: change),
    ]

    package static let schemas = ["TrackLyrics": lyrics, "LyricsLine": line, "LyricsWord": word]

    private static let text = JSONSchema.text(
        matching: #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#, "Text of the line or word.", example: "Hello"
    )
    private static func time(_ meaning: String) -> JSONSchema {
        .number(
            "\(meaning), in seconds from the start of the track.", minimum: 0,
            maximum: LyricsLimits.latestSeconds / 2, example: 12.5)
    }
    private static let offset = JSONSchema.number(
        "Amount by which `[offset:]` shifts times earlier, in seconds.", minimum: -LyricsLimits.offsetSeconds,
        maximum: LyricsLimits.offsetSeconds, example: 0.1)

    private static let body = JSONSchema.object([
        .maybe(
            "lines",
            .array(
                of: .object([
                    .maybe("start_seconds", time("Start time (on all lines or on none)").orNull),
                    .maybe("end_seconds", time("End time").orNull), .always("text", text),
                    .maybe(
                        "words",
                        .array(
                            of: .object([
                                .always("start_seconds", time("Start time")),
                                .maybe("end_seconds", time("End time").orNull), .always("text", text),
                            ]), "The words of the line; joined, they are its text.", maximumCount: 1000
                        ).orNull),
                ]), "The lines.", maximumCount: LyricsLimits.lines
            ).orNull),
        .maybe(
            "lrc",
            .text(
                matching: #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
                "LRC or plain text, instead of lines."
            ).orNull),
        .maybe("offset_seconds", offset.orNull),
        .maybe("language", code.orNull),
    ])

    private static let lyrics = JSONSchema.object(
        [
            .always("relative_path", .text("Path relative to the music folder.")),
            .always("source", .oneOf(sources, "Where they are stored.")),
            .maybe("file", .text("Name of the `.lrc` file.")),
            .maybe("language", .text("Language, if known.", example: "eng")),
            .maybe(
                "description", .text("Content description, which distinguishes lyrics of the same language.")),
            .always("is_synced", .flag("Whether lines have times.")),
            .always(
                "offset_seconds",
                .number(
                    "Amount by which `[offset:]` shifts times earlier, in seconds; already applied to the lines.",
                    example: 0.1)),
            .always("metadata", .map(of: .text(), "Metadata of the source, keyed by LRC tag names.")),
            .always("lines", .array(of: .named("LyricsLine"), "The lines.")),
            .maybe(
                "alternatives",
                .array(of: .named("TrackLyrics"), "The track's other lyrics, best first.")),
        ], "Lyrics of a track.")

    private static let line = JSONSchema.object([
        .maybe("start_seconds", .seconds("Start time", example: 12.5)),
        .maybe("end_seconds", .seconds("End time, if known")),
        .always("text", .text("Text of the line; empty for an instrumental part.")),
        .maybe(
            "words",
            .array(of: .named("LyricsWord"), "The words, if they have times; joined, they are the text.")),
    ])

    private static let word = JSONSchema.object([
        .always("start_seconds", .seconds("Start time", example: 12.5)),
        .maybe("end_seconds", .seconds("End time, if known")),
        .always("text", .text("The word with trailing space.")),
    ])
}
