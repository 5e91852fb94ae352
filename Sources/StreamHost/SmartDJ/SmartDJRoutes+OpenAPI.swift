internal import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension SmartDJRoutes {
    private static let tag = "Companion"

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.profile, id: "profile",
            summary: "Get the mixing profile of a track", tag: tag, access: .key,
            parameters: [.relativePath], answer: "The profile.", contents: [.json(.named("Profile"))],
            otherAnswers: [.pending], hasEntityTag: true,
            errors: [.missingParameter] + OpenAPIError.ofPath),
        OpenAPIOperation(
            method: .get, path: Routes.bulkProfiles, id: "profiles",
            summary: "Get the profiles of several tracks",
            details: """
                The parameter may be repeated. Commas within a value also separate paths, but only after an audio file extension \
                (`.mp3,`), and not if the value itself is the path of a track. Use POST for longer lists.
                """, tag: tag, access: .key,
            parameters: [
                .query(
                    "paths", "Paths relative to the music folder.",
                    .array(of: .text(example: "1.mp3"), minimumCount: 1), isRequired: true)
            ], answer: "The profile or the state of each path.", contents: [.json(.named("BulkProfiles"))],
            errors: [.missingParameter, tooMany]),
        OpenAPIOperation(
            method: .post, path: Routes.bulkProfiles, id: "profilesOfList",
            summary: "Get the profiles of many tracks", tag: tag, access: .key,
            body: .object([
                .always(
                    "paths",
                    .array(
                        of: .text(example: "1.mp3"), "Paths relative to the music folder.",
                        maximumCount: BulkProfilesRequest.largestCount))
            ]), answer: "The profile or the state of each path.", contents: [.json(.named("BulkProfiles"))],
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
                "profiles", .map(of: .named("Profile"), "The profiles, keyed by requested path.")),
            .always(
                "pending",
                .array(of: .named("PendingTrack"), "Tracks that are queued for analysis.")),
            .always(
                "failed",
                .array(
                    of: .object([
                        .always("relative_path", .text("Path relative to the music folder.")),
                        .always("code", .text("Stable error code.", example: "not_mp3")),
                        .always("message", .text("Human-readable reason.")),
                    ]), "Files that cannot be analysed.")),
            .always(
                "not_found", .array(of: .text(), "Paths without an MP3.")),
        ]),
    ]

    private static let pendingTrack = JSONSchema.object([
        .always("relative_path", .text("The requested path, relative to the music folder.")),
        .always(
            "position",
            .integer("Position in the queue; files that clients are waiting for come first.", minimum: 1)),
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
                .number(
                    "Gain in dB that brings the album to −18 LUFS; omitted until all its tracks are measured."
                )),
        ]
            + TrackField.properties(named: [
                "bpm", "bpm_confidence", "beat_confidence", "first_beat_seconds", "loudness_range_lu",
                "sample_peak_dbfs", "true_peak_dbtp", "replay_gain_db", "key", "key_camelot",
                "key_confidence",
            ]), "The data that a player needs to mix a track with others.")

    /// Returns the given report properties as required ones, because every profile has them.
    private static func always(_ names: [String]) -> [JSONSchema.Property] {
        TrackField.properties(named: names).map { .always($0.name, $0.schema) }
    }
}
