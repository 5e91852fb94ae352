internal import HTTPServer
internal import MusicShared

extension SmartDJRoutes {
    private static let tag = "Companion"

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.profile, id: "profile",
            summary: "What a player needs to mix a track with others", tag: tag, access: .key,
            parameters: [.relativePath], answer: "The profile.", contents: [.json(.named("Profile"))],
            otherAnswers: [.pending], hasEntityTag: true,
            errors: [.missingParameter] + OpenAPIError.ofPath),
        OpenAPIOperation(
            method: .get, path: Routes.bulkProfiles, id: "profiles", summary: "Profiles of many tracks",
            details: """
                The parameter may be repeated. In one value commas separate paths too, after the ending of a sound file only \
                (`.mp3,`), and not in a value that is the path of a track itself. Longer lists go by POST.
                """, tag: tag, access: .key,
            parameters: [
                .query(
                    "paths", "Paths in the music folder.",
                    .array(of: .text(example: "1.mp3"), minimumCount: 1), isRequired: true)
            ], answer: "What there is of each path.", contents: [.json(.named("BulkProfiles"))],
            errors: [.missingParameter, tooMany]),
        OpenAPIOperation(
            method: .post, path: Routes.bulkProfiles, id: "profilesOfList",
            summary: "Profiles of many tracks, for long lists", tag: tag, access: .key,
            body: .object([
                .always(
                    "paths",
                    .array(
                        of: .text(example: "1.mp3"), "Paths in the music folder.",
                        maximumCount: BulkProfilesRequest.largestCount))
            ]), answer: "What there is of each path.", contents: [.json(.named("BulkProfiles"))],
            errors: [tooMany]),
    ]

    private static let tooMany = OpenAPIError(
        status: .unprocessableContent, code: "too_many_paths",
        meaning: "More than \(BulkProfilesRequest.largestCount) paths.")

    static let schemas = [
        "Profile": profile,
        "PendingTrack": pendingTrack,
        "BulkProfiles": JSONSchema.object([
            .always(
                "profiles", .map(of: .named("Profile"), "The profiles, by the paths that were asked for.")),
            .always(
                "pending",
                .array(of: .named("PendingTrack"), "Tracks that are not analysed yet, and are going to be.")),
            .always(
                "failed",
                .array(
                    of: .object([
                        .always("relative_path", .text("Path in the music folder.")),
                        .always("code", .text("Name of the reason, for programs.", example: "not_mp3")),
                        .always("message", .text("The reason, for a person.")),
                    ]), "Files that cannot be analysed as they are.")),
            .always(
                "not_found", .array(of: .text(), "Paths at which the music folder has no MP3.")),
        ]),
    ]

    private static let pendingTrack = JSONSchema.object([
        .always("relative_path", .text("Path in the music folder, as it was asked for.")),
        .always(
            "position",
            .integer("Its place in the queue; what clients wait for comes first.", minimum: 1)),
    ])

    private static let profile = JSONSchema.object(
        always([
            "id", "relative_path", "duration_seconds", "is_silent", "cue_in_seconds", "cue_out_seconds",
            "fade_in_end_seconds", "fade_out_start_seconds", "start_next_seconds", "ending",
        ]) + [
            .always("silence_start", .seconds("End of the leading silence")),
            .always("silence_end", .seconds("Start of the trailing silence")),
            .maybe("lufs", .number("Integrated loudness in LUFS (EBU R 128).", example: -9.4)),
            .maybe(
                "album_replay_gain_db",
                .number("Gain in dB that brings the album to −18 LUFS, once all its tracks are measured.")),
        ]
            + TrackReport.properties(named: [
                "bpm", "bpm_confidence", "first_beat_seconds", "loudness_range_lu", "sample_peak_dbfs",
                "true_peak_dbtp", "replay_gain_db", "key", "key_camelot", "key_confidence",
            ]), "What a player needs to mix a track with others.")

    /// Properties of a report that every profile has.
    private static func always(_ names: [String]) -> [JSONSchema.Property] {
        TrackReport.properties(named: names).map { .always($0.name, $0.schema) }
    }
}

extension OpenAPIParameter {
    /// The track that a request is about, by its path.
    static let relativePath = query(
        "relative_path", "Path of the track in the music folder, as the catalogue has it.",
        .text(example: "1.mp3"), isRequired: true)
}

extension OpenAPIResponse {
    /// The track is known to the folder, but not to the library yet.
    static let pending = OpenAPIResponse(
        status: .accepted, meaning: "The track is not analysed yet, and is going to be. Ask again.",
        contents: [.json(.named("PendingTrack"))], headers: [.retryAfter])
}

extension OpenAPIError {
    /// What may be wrong with a path.
    static let ofPath = [
        OpenAPIError(
            status: .notFound, code: "no_such_track", meaning: "The music folder has no MP3 of this path."),
        OpenAPIError(
            status: .unprocessableContent, code: "analysis_failed",
            meaning: "The file cannot be analysed as it is."),
    ]
}
