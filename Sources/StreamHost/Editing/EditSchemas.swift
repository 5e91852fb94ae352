internal import MusicShared

/// Schemas of what edits answer with.
enum EditSchemas {
    static let replayGain = JSONSchema.object(
        [
            .maybe("track_gain_db", .number("Gain of the track in dB.", example: -7.03)),
            .maybe("track_peak", .number("Peak of the track; 1.0 is full scale.", minimum: 0)),
            .maybe("album_gain_db", .number("Gain of the album in dB.")),
            .maybe("album_peak", .number("Peak of the album; 1.0 is full scale.", minimum: 0)),
        ], "ReplayGain values in the tags.")

    static let metadata = JSONSchema.object(
        [
            .maybe("id", .identifier("Number of the track, where the library knows it.")),
            .always("etag", .text("Names the state of the file.", example: "e1-5012345-1763742000000000000")),
            .maybe("comment", .text("Comment; the only text that may have several lines.")),
            .maybe("composer", .text("Composer.")),
            .maybe("track_total", .integer("Tracks on the disc.", minimum: 1)),
            .maybe("disc_total", .integer("Discs of the set.", minimum: 1)),
            .always("is_compilation", .flag("Whether the album is marked as a compilation.")),
            .always("has_cover", .flag("Whether the tags hold a picture.")),
            .always(
                "tag_kinds", .array(of: .oneOf(["ID3v2", "APE", "ID3v1"]), "The kinds of tag in the file.")),
            .always("replay_gain", replayGain),
        ]
            + TrackReport.properties(named: [
                "relative_path", "title", "artist", "album", "album_artist", "track_number", "disc_number",
                "year", "genre",
            ]), "What can be edited of a track.")

    static let result = JSONSchema.object(
        [
            .maybe("relative_path", .text("Path in the music folder.")),
            .maybe("id", .integer("Number of the track.", minimum: nil)),
            .always(
                "status",
                .integer(
                    "What the status of an answer about this file alone would be.", minimum: 200, maximum: 599
                )),
            .always(
                "changed", .flag("Whether the file was written anew, or would be by a dry run.")),
            .maybe("etag", .text("Names the state of the file now.")),
            .maybe("changes", .array(of: change, "What fixes change.", minimumCount: 1)),
            .maybe(
                "outcome",
                .oneOf(
                    ReplayGainRoutes.Outcome.allCases.map(\.rawValue), "What became of ReplayGain tags.")),
            .maybe("replay_gain", replayGain),
            .maybe(
                "error",
                .object([
                    .always("code", .text("Name of the reason, for programs.", example: "read_only")),
                    .always("message", .text("The reason, for a person.")),
                    .maybe("field", .text("The field at fault.")),
                ])),
        ], "What became of one file.")

    private static let change = JSONSchema.object([
        .always("fix", .text("Name of the fix.", example: "trim_white_space")),
        .always("field", .text("The field; `tags` for the kinds of tag.", example: "title")),
        .maybe("before", .text("What stood there; left out for nothing.")),
        .maybe("after", .text("What is to stand there; left out for nothing.")),
    ])
}
