internal import APIDescription
internal import LibraryStore
internal import MusicShared

/// Schemas of the responses to edits.
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
            .maybe("id", .identifier("Track ID, if the file is in the library.")),
            .always(
                "etag", .text("Identifies the state of the file.", example: "e1-5012345-1763742000000000000")),
            .maybe("comment", .text("Comment; the only text that may have multiple lines.")),
            .maybe("composer", .text("Composer.")),
            .maybe("track_total", .integer("Number of tracks on the disc.", minimum: 1)),
            .maybe("disc_total", .integer("Number of discs in the set.", minimum: 1)),
            .always("is_compilation", .flag("Whether the album is marked as a compilation.")),
            .always("has_cover", .flag("Whether the tags contain a picture.")),
            .always(
                "tag_kinds",
                .array(of: .oneOf(["ID3v2", "APE", "ID3v1"]), "Tag formats present in the file.")),
            .always("replay_gain", replayGain),
        ]
            + TrackField.properties(named: [
                "relative_path", "title", "artist", "album", "album_artist", "track_number", "disc_number",
                "year", "genre",
            ]), "The editable metadata of a track.")

    static let result = JSONSchema.object(
        [
            .maybe("relative_path", .text("Path relative to the music folder.")),
            .maybe("id", .integer("Track ID.", minimum: nil)),
            .always(
                "status",
                .integer(
                    "The HTTP status that a request for this file alone would have.", minimum: 200,
                    maximum: 599
                )),
            .always(
                "changed", .flag("Whether the file was rewritten, or would be rewritten without `dry_run`.")),
            .maybe("etag", .text("Identifies the file's new state.")),
            .maybe("changes", .array(of: change, "Changes made by fixes.", minimumCount: 1)),
            .maybe(
                "outcome",
                .oneOf(
                    ReplayGainRoutes.Outcome.allCases.map(\.rawValue),
                    "What was done with the ReplayGain tags.")),
            .maybe("replay_gain", replayGain),
            .maybe(
                "error",
                .object([
                    .always("code", .text("Stable error code.", example: "read_only")),
                    .always("message", .text("Human-readable reason.")),
                    .maybe("field", .text("The invalid field.")),
                ])),
        ], "The result for one file.")

    private static let change = JSONSchema.object([
        .always("fix", .text("Name of the fix.", example: "trim_white_space")),
        .always("field", .text("The field; `tags` for the tag formats.", example: "title")),
        .maybe("before", .text("Previous value; omitted if there was none.")),
        .maybe("after", .text("New value; omitted if it is removed.")),
    ])
}
