package import APIDescription
internal import HTTPServer
internal import MusicShared

extension CrossfadeRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.crossfade, id: "crossfade",
            summary: "Plan the transition between two tracks",
            details: """
                The incoming track starts where the outgoing one has faded far enough below it to be inaudible; consecutive \
                tracks of an album play gaplessly, as mastered. Nothing audible is cut.
                """, tag: "Analysis", access: .key,
            parameters: [
                .query(
                    "from", "ID of the outgoing track.", .identifier(example: 1),
                    isRequired: true),
                .query(
                    "to", "ID of the incoming track.", .identifier(example: 2), isRequired: true),
                .query(
                    "target_lufs", "Target loudness of the gains in LUFS.",
                    .number(
                        minimum: CrossfadePlan.Options.targetRange.lowerBound,
                        maximum: CrossfadePlan.Options.targetRange.upperBound,
                        standard: CrossfadePlan.Options().targetLUFS)),
                .query(
                    "max_seconds", "Maximum overlap in seconds.",
                    .number(
                        minimum: CrossfadePlan.Options.maximumRange.lowerBound,
                        maximum: CrossfadePlan.Options.maximumRange.upperBound,
                        standard: CrossfadePlan.Options().maximumSeconds)),
            ], answer: "The plan.", contents: [.json(.named("CrossfadePlan"))],
            errors: [
                .missingParameter, .badParameter, .noTrack,
                OpenAPIError(
                    status: .conflict, code: "not_analysed", meaning: "The track has not been analysed yet."),
            ])
    ]

    package static let schemas = [
        "CrossfadePlan": plan, "CrossfadeSide": side, "CrossfadeFade": fade,
    ]

    private static let plan = JSONSchema.object(
        [
            .always("from_id", .integer("ID of the outgoing track.", minimum: 1)),
            .always("to_id", .integer("ID of the incoming track.", minimum: 1)),
            .always(
                "transition",
                .oneOf(
                    CrossfadePlan.Transition.allCases.map(\.rawValue),
                    "`gapless`: both tracks complete, as mastered. `cut`: one after the other. `overlap`: both at once for a while."
                )),
            .always(
                "start_seconds",
                .seconds("Position in the outgoing track at which the incoming one starts", example: 206.1)),
            .always("end_seconds", .seconds("Position at which the outgoing track ends", example: 211.4)),
            .always(
                "cue_in_seconds", .seconds("Position at which the incoming track is entered", example: 0.4)),
            .always("overlap_seconds", .seconds("Duration of the overlap", example: 5.3)),
            .always("target_lufs", .number("Target loudness in LUFS.", example: -18)),
            .always("outgoing", .named("CrossfadeSide")),
            .always("incoming", .named("CrossfadeSide")),
            .maybe(
                "overlap_peak_dbtp",
                .number("Upper bound of the mix's true peak during the overlap, in dBTP.", maximum: 0.01)),
            .maybe("tempo", tempo),
            .maybe("key", key),
        ], "The transition between two tracks.")

    private static let side = JSONSchema.object(
        [
            .always(
                "gain_db",
                .number(
                    "Gain for the whole track in dB: reaches the target loudness without exceeding −1 dBTP."
                )
            ),
            .maybe(
                "album_gain_db",
                .number(
                    "The same for the album that both tracks are on, for players that preserve levels within an album."
                )),
            .maybe("fade", .named("CrossfadeFade")),
        ], "Gain and fade of one of the two tracks.")

    private static let fade = JSONSchema.object(
        [
            .always(
                "curve",
                .oneOf(
                    CrossfadePlan.Fade.Curve.allCases.map(\.rawValue),
                    "`none`: no change. `linear`: linear in amplitude. `equal_power`: a quarter of a cosine from 1 to 0."
                )
            ),
            .always("start_seconds", .seconds("Start position in the track")),
            .always("duration_seconds", .seconds("Duration")),
            .always("start_gain", .number("Amplitude factor at the start.", minimum: 0, maximum: 1)),
            .always("end_gain", .number("Amplitude factor at the end.", minimum: 0, maximum: 1)),
        ], "A change of gain during the overlap.")

    private static let tempo = JSONSchema.object(
        [
            .always(
                "ratio",
                .number(
                    "Playback speed at which the incoming track matches the outgoing one's tempo; 1 is its own speed.",
                    minimum: 0,
                    isOpenBelow: true)),
            .always(
                "multiple",
                .number(
                    "Beats of the incoming track per beat of the outgoing one: 1, 2 or 0.5.", minimum: 0.5,
                    maximum: 2)),
            .always("can_align", .flag("Whether the ratio is close enough to 1 to align beats.")),
            .maybe(
                "outgoing_beat_seconds",
                .number("Time in the outgoing track at which beats of both coincide, in seconds.")),
            .maybe("incoming_beat_seconds", .number("Time of that beat in the incoming track, in seconds.")),
            .always(
                "shift_seconds",
                .number("Shift of the start made to align the beats, in seconds; negative is earlier.")
            ),
            .always(
                "drift_seconds",
                .seconds(
                    "How far the beats have drifted apart at the end of the overlap if both keep their own speed"
                )),
        ], "Relation of the tempi.")

    private static let key = JSONSchema.object(
        [
            .always("outgoing", .camelotKey),
            .always("incoming", .camelotKey),
            .always(
                "relation",
                .oneOf(CamelotKey.Relation.allCases.map(\.rawValue), "Relation of the keys.")),
            .always("steps", .integer("Distance in fifths.", maximum: 6)),
            .always("is_compatible", .flag("Whether the keys are compatible.")),
        ], "Relation of the keys.")
}
