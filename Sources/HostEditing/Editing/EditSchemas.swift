internal import APIDescription
internal import LibraryStore
internal import MusicShared
internal import Tagging

/// Schemas of the responses to edits.
enum EditSchemas {
    static let replayGain = JSONSchema.object(
        [
            "track_gain_db": .number("Gain of the track in dB.", example: -7.03).optional,
            "track_peak": .number("Peak of the track; 1.0 is full scale.", minimum: 0).optional,
            "album_gain_db": .number("Gain of the album in dB.").optional,
            "album_peak": .number("Peak of the album; 1.0 is full scale.", minimum: 0).optional,
        ], "ReplayGain values in the tags.")

    static let metadata = JSONSchema.object(
        [
            "id": .identifier("Track ID, if the file is in the library.").optional,
            "etag": .text("Identifies the state of the file.", example: "e1-5012345-1763742000000000000"),
            "comment": .text("Comment; the only text that may have multiple lines.").optional,
            "composer": .text("Composer.").optional,
            "track_total": .integer("Number of tracks on the disc.", minimum: 1).optional,
            "disc_total": .integer("Number of discs in the set.", minimum: 1).optional,
            "is_compilation": .flag("Whether the album is marked as a compilation."),
            "has_cover": .flag("Whether the tags contain a picture."),
            "tag_kinds": .array(of: .oneOf(TagKinds.allNames), "Tag formats present in the file."),
            "replay_gain": replayGain,
        ]
            + TrackField.object(
                of:
                    "relative_path", "title", "artist", "album", "album_artist", "track_number",
                "disc_number",
                "year", "genre",
            ), "The editable metadata of a track.")

    static let result = JSONSchema.object(
        [
            "relative_path": .text("Path relative to the music folder.").optional,
            "id": .integer("Track ID.", minimum: nil).optional,
            "status": .integer(
                "The HTTP status that a request for this file alone would have.", minimum: 200,
                maximum: 599
            ),
            "changed": .flag("Whether the file was changed or moved, or would be without `dry_run`."),
            "etag": .text("Identifies the file's new state.").optional,
            "changes": .array(of: change, "Changes made by fixes.", minimumCount: 1).optional,
            "outcome": .oneOf(
                ReplayGainRoutes.Outcome.allCases.map(\.rawValue),
                "What was done with the tags for measurements."
            ).optional,
            "replay_gain": replayGain.optional,
            "bpm": .integer("The tempo for the tags, if it is requested and known.", minimum: 1).optional,
            "initial_key": .text("The key for the tags, if it is requested and known.", example: "F#m")
                .optional,
            "error": .object(
                [
                    "code": .text("Stable error code.", example: "read_only"),
                    "message": .text("Human-readable reason."),
                    "field": .text("The invalid field.").optional,
                ], "Why the file was not processed."
            ).optional,
        ], "The result for one file.")

    static let results = ResultStream.properties("A result for each file, in order.") + ResultStream.edit

    private static let change: JSONSchema = [
        "fix": .text("Name of the fix.", example: "trim_white_space"),
        "field": .text("The field; `tags` for the tag formats.", example: "title"),
        "before": .text("Previous value; omitted if there was none.").optional,
        "after": .text("New value; omitted if it is removed.").optional,
    ]
}
