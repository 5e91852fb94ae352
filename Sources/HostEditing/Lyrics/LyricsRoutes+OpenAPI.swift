package import APIDescription
internal import HTTPServer
internal import MusicShared

extension LyricsRoutes {
    package static let tag = "Lyrics"
    private static let code = JSONSchema.text(
        matching: "^[a-z]{3}$", "Language code (ISO 639-2).", example: "eng")

    /// The formats of a response.
    enum Format: String, CaseIterable {
        case json, lrc
    }

    static let source = QueryParameter<LyricsSource?>("source", "Only lyrics from this source.")
    static let language = languageParameter("Preferred language.")
    static let removedLanguage = languageParameter("Only lyrics in this language; for tags.")
    static let listsAll = QueryParameter<Bool>(
        "all", "Whether `alternatives` lists the track's other lyrics.")
    static let format = QueryParameter<Format?>(
        "format",
        "`lrc` returns plain LRC text, as does an `Accept` with `text/plain` but not JSON; other sources are converted "
            + "to LRC. `all` then has no effect.")
    static let target = QueryParameter<LyricsSource?>(
        "target",
        "Where to store the lyrics; by default where the track's lyrics are now, or an `.lrc` file if it has none."
    )
    private static let choice: [any OperationParameter] = [source, language, listsAll, format]
    private static let ifMatch = OpenAPIParameter.ifMatch(isRequired: false)
    private static let lyricsOrText = OpenAPIResponse.content(
        .json("TrackLyrics"), .text("text/plain"), meaning: "The lyrics."
    ).tagged

    private static func languageParameter(_ meaning: String) -> QueryParameter<String?> {
        QueryParameter(
            "language", meaning, code, expected: "a code of three lower-case letters (ISO 639-2)"
        ) { $0.isLanguageCode ? $0 : nil }
    }

    private static let notAsText = APIError.invalidLyrics.when("The lines cannot be represented as LRC.")

    private static let reading = [APIError.ofPath[0], .noLyrics, notAsText]
    private static let change = [
        APIError.ofPath[0], .noLyrics, .changedMeanwhile.when("The lyrics have changed (ETag mismatch)."),
        .readOnly.when("The file or its folder is read-only."),
        .busy.when("The file is in use by another program."),
        .unsupportedTag.when("The tags cannot be edited."), .systemFailed,
    ]

    package static let operations = [
        operation(
            .get, Routes.lyrics, "lyricsAt", "Get a track's lyrics by path",
            details:
                "Returns the best lyrics: synced before unsynced; then the `.lrc` file next to the track before "
                + "its tags; in these, Vorbis comments before `SYLT`, and `SYLT` before `USLT`.",
            parameters: [Query.relativePath] + choice,
            answer: lyricsOrText,
            errors: reading),
        operation(
            .get, Routes.trackLyrics, "lyrics", "Get the lyrics of a track", access: .keyOrToken,
            parameters: choice + [Query.emptyForMissing],
            answer: lyricsOrText,
            otherAnswers: [.missing], errors: [.noLyrics, notAsText]),
        operation(
            .put, Routes.lyrics, "setLyrics", "Write lyrics, or change the offset of existing ones",
            details: "Accepts JSON, or LRC as `text/plain`. "
                + "Writes to the `.lrc` file, in UTF-8, or to the tags: to frames (`sylt`, `uslt`) in MP3 files, to the comment "
                + "`LYRICS` or `©lyr` (`comment`) in FLAC, Ogg and M4A files. The audio stays unchanged. An offset alone only "
                + "changes `[offset:]`. `SYLT` has no offset: its times are shifted, which requires `If-Match`.",
            role: .editor, parameters: [Query.relativePath, target, ifMatch], body: body,
            bodyContents: [.text("text/plain")], answer: .json("TrackLyrics", "The lyrics as stored.").tagged,
            errors: change + [
                .invalidLyrics,
                .notSynced,
                .preconditionRequired.when(
                    "`If-Match` is missing; it is required to shift the times of `SYLT`."),
            ]),
        operation(
            .delete, Routes.lyrics, "removeLyrics", "Delete lyrics",
            details: "Deletes the `.lrc` file, or all lyrics of one kind from the tags.", role: .editor,
            parameters: [Query.relativePath, target, removedLanguage, ifMatch],
            answer: .done("The lyrics were deleted."),
            otherAnswers: [
                .json("TrackLyrics", "The lyrics were deleted; these remain in other languages.").with(
                    nil, .entityTag)
            ], errors: change),
    ]

    package static let schemas: [String: JSONSchema] = [
        "TrackLyrics": lyrics, "LyricsLine": line, "LyricsWord": word,
    ]

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

    private static let body: JSONSchema = [
        "lines": .array(
            of: [
                "start_seconds": time("Start time (on all lines or on none)").orNull.optional,
                "end_seconds": time("End time").orNull.optional, "text": text,
                "words": .array(
                    of: [
                        "start_seconds": time("Start time"),
                        "end_seconds": time("End time").orNull.optional, "text": text,
                    ], "The words of the line; joined, they are its text.", maximumCount: 1000
                ).orNull.optional,
            ], "The lines.", maximumCount: LyricsLimits.lines
        ).orNull.optional,
        "lrc": .text(
            matching: #"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"#,
            "LRC or plain text, instead of lines."
        ).orNull.optional,
        "offset_seconds": offset.orNull.optional,
        "language": code.orNull.optional,
    ]

    private static let lyrics = JSONSchema.object(
        [
            "relative_path": .text("Path relative to the music folder."),
            "source": .oneOf(LyricsSource.self, "Where they are stored."),
            "file": .text("Name of the `.lrc` file.").optional,
            "language": .text("Language, if known.", example: "eng").optional,
            "description": .text("Content description, which distinguishes lyrics of the same language.")
                .optional,
            "is_synced": .flag("Whether lines have times."),
            "offset_seconds": .number(
                "Amount by which `[offset:]` shifts times earlier, in seconds; already applied to the lines.",
                example: 0.1),
            "metadata": .map(of: .text(), "Metadata of the source, keyed by LRC tag names."),
            "lines": .array(of: .named("LyricsLine"), "The lines."),
            "alternatives": .array(of: .named("TrackLyrics"), "The track's other lyrics, best first.")
                .optional,
        ], "Lyrics of a track.")

    private static let line: JSONSchema = [
        "start_seconds": .seconds("Start time", example: 12.5).optional,
        "end_seconds": .seconds("End time, if known").optional,
        "text": .text("Text of the line; empty for an instrumental part."),
        "words": .array(of: .named("LyricsWord"), "The words, if they have times; joined, they are the text.")
            .optional,
    ]

    private static let word: JSONSchema = [
        "start_seconds": .seconds("Start time", example: 12.5),
        "end_seconds": .seconds("End time, if known").optional,
        "text": .text("The word with trailing space."),
    ]
}
