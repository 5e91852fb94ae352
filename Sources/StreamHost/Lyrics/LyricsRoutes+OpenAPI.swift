internal import Companion
internal import HTTPServer
internal import MusicShared

extension LyricsRoutes {
    private static let tag = "Lyrics"
    private static let sources = LyricsSource.allCases.map(\.rawValue)
    private static let code = JSONSchema.text(
        matching: "^[a-z]{3}$", "Language by ISO 639-2.", example: "eng")

    private static let choice = [
        OpenAPIParameter.query("source", "Only lyrics of this source.", .oneOf(sources)),
        .query("language", "Rather lyrics of this language.", code),
        .query(
            "all", "Whether `alternatives` lists all that the track has besides.", .oneOf(["true", "false"])),
    ]
    private static let target = OpenAPIParameter.query(
        "target",
        "Where they are kept; unless told where the track's lyrics are now, and an `.lrc` file if it has none.",
        .oneOf(sources))
    private static let content = [OpenAPIResponse.Content.json(.named("TrackLyrics"))]

    private static let noLyrics = OpenAPIError(
        status: .notFound, code: "no_lyrics", meaning: "The track has no lyrics, or none of this source.")
    private static let noPath = OpenAPIError(
        status: .notFound, code: "no_such_track", meaning: "The music folder has no MP3 of this path.")
    private static let change = [
        OpenAPIError.badParameter, .missingParameter, .unknownParameter, noPath, noLyrics,
        OpenAPIError(
            status: .preconditionFailed, code: "changed_meanwhile",
            meaning: "The lyrics are in none of the states that `If-Match` names."),
        OpenAPIError(
            status: .conflict, code: "read_only", meaning: "The file or its folder may not be written."),
        OpenAPIError(
            status: .serviceUnavailable, code: "busy", meaning: "Another program is at work on the file."),
        OpenAPIError(status: .insufficientStorage, code: "no_space", meaning: "The disk is full."),
        OpenAPIError(
            status: .unprocessableContent, code: "unsupported_tag", meaning: "The tags cannot be edited."),
        OpenAPIError(
            status: .internalServerError, code: "system_failed", meaning: "The system refused to write."),
    ]

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.lyrics, id: "lyricsAt", summary: "Lyrics of a track, by its path",
            details:
                "The best that there are: with times before those without; of these the `.lrc` file beside the track before "
                + "its tags, and `SYLT` before `USLT`.",
            tag: tag, access: .key, parameters: [.relativePath] + choice, answer: "The lyrics.",
            contents: content,
            hasEntityTag: true,
            errors: [.badParameter, .missingParameter, .unknownParameter, noPath, noLyrics]),
        OpenAPIOperation(
            method: .get, path: Routes.trackLyrics, id: "lyrics", summary: "Lyrics of a track", tag: tag,
            parameters: [.trackID] + choice + [.emptyForMissing], answer: "The lyrics.", contents: content,
            otherAnswers: [.missing], hasEntityTag: true,
            errors: [.badParameter, .unknownParameter, .noTrack, noLyrics]),
        OpenAPIOperation(
            method: .put, path: Routes.lyrics, id: "setLyrics",
            summary: "Writes lyrics, or another offset for those that are there",
            details:
                "Into the `.lrc` file, which is written in UTF-8, or into the tags; the audio stays as it is. An offset alone "
                + "changes `[offset:]` and nothing else. `SYLT` has no offset: its times are moved, which needs `If-Match`.",
            tag: tag, access: .key, parameters: [.relativePath, target, .ifMatch(isRequired: false)],
            body: body,
            answer: "The lyrics as they are kept now.", contents: content, hasEntityTag: true,
            errors: change + [
                OpenAPIError(
                    status: .unprocessableContent, code: "invalid_lyrics",
                    meaning: "Lines, text or times cannot be kept as they are."),
                OpenAPIError(
                    status: .unprocessableContent, code: "not_synced",
                    meaning: "The lyrics have no times, where times are needed."),
                OpenAPIError(
                    status: .preconditionRequired, code: "precondition_required",
                    meaning: "`If-Match` is missing, and the times of `SYLT` are to be moved."),
            ]),
        OpenAPIOperation(
            method: .delete, path: Routes.lyrics, id: "removeLyrics", summary: "Removes lyrics",
            details: "The `.lrc` file, or all frames of a kind from the tags.", tag: tag, access: .key,
            parameters: [
                .query(
                    "relative_path", "Path of the track in the music folder, as the catalogue has it.",
                    .text(example: "2.mp3"), isRequired: true), target,
                .query("language", "Only of this language; of tags.", code),
                .ifMatch(isRequired: false),
            ], status: .noContent, answer: "They are gone.",
            otherAnswers: [
                OpenAPIResponse(
                    status: .ok, meaning: "They are gone; of other languages there are these.",
                    contents: content, headers: [.entityTag])
            ], errors: change),
    ]

    static let schemas = ["TrackLyrics": lyrics, "LyricsLine": line, "LyricsWord": word]

    private static let text = JSONSchema.text(
        matching: #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#, "What is sung.", example: "Hello")
    private static func time(_ meaning: String) -> JSONSchema {
        .number(
            "\(meaning), in seconds from the beginning of the track.", minimum: 0,
            maximum: LyricsLimits.latestSeconds / 2, example: 12.5)
    }
    private static let offset = JSONSchema.number(
        "By how much `[offset:]` makes the times earlier, in seconds.", minimum: -LyricsLimits.offsetSeconds,
        maximum: LyricsLimits.offsetSeconds, example: 0.1)

    private static let body = JSONSchema.object([
        .maybe(
            "lines",
            .array(
                of: .object([
                    .maybe("start_seconds", time("When it begins; all lines have it, or none").orNull),
                    .maybe("end_seconds", time("When it ends").orNull), .always("text", text),
                    .maybe(
                        "words",
                        .array(
                            of: .object([
                                .always("start_seconds", time("When it begins")),
                                .maybe("end_seconds", time("When it ends").orNull), .always("text", text),
                            ]), "Its words; they make the text.", maximumCount: 1000
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
            .always("relative_path", .text("Path in the music folder.")),
            .always("source", .oneOf(sources, "Where they are kept.")),
            .maybe("file", .text("Name of the `.lrc` file.")),
            .maybe("language", .text("Language, where told.", example: "eng")),
            .maybe("description", .text("What tells them from others of the language.")),
            .always("is_synced", .flag("Whether lines have times.")),
            .always(
                "offset_seconds",
                .number(
                    "By how much `[offset:]` makes times earlier, in seconds. It is in the lines' times already.",
                    example: 0.1)),
            .always("metadata", .map(of: .text(), "What the source says of itself, by LRC's names.")),
            .always("lines", .array(of: .named("LyricsLine"), "The lines.")),
            .maybe(
                "alternatives",
                .array(of: .named("TrackLyrics"), "All that the track has besides, the best first.")),
        ], "Lyrics of a track.")

    private static let line = JSONSchema.object([
        .maybe("start_seconds", .seconds("When it begins", example: 12.5)),
        .maybe("end_seconds", .seconds("When it ends, where told")),
        .always("text", .text("What is sung; empty where nothing is.")),
        .maybe(
            "words",
            .array(of: .named("LyricsWord"), "Its words, where they have times; joined they are the text.")),
    ])

    private static let word = JSONSchema.object([
        .always("start_seconds", .seconds("When it begins", example: 12.5)),
        .maybe("end_seconds", .seconds("When it ends, where told")),
        .always("text", .text("What is sung, with the space behind it.")),
    ])
}
