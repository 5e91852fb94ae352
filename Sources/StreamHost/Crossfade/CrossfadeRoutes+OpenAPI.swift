internal import HTTPServer
internal import MusicShared

extension CrossfadeRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.crossfade, id: "crossfade",
            summary: "Plans how one track goes over into another",
            details: """
                The incoming track starts where the outgoing one has sunk so far below it that it goes unheard; consecutive \
                tracks of an album follow each other as they were mastered. Nothing audible is cut.
                """, tag: "Analysis", access: .key,
            parameters: [
                .query(
                    "from", "Number of the outgoing track.", .identifier(example: 1),
                    isRequired: true),
                .query(
                    "to", "Number of the incoming track.", .identifier(example: 2), isRequired: true),
                .query(
                    "target_lufs", "Loudness that the gains aim at, in LUFS.",
                    .number(
                        minimum: CrossfadePlan.Options.targetRange.lowerBound,
                        maximum: CrossfadePlan.Options.targetRange.upperBound,
                        standard: CrossfadePlan.Options().targetLUFS)),
                .query(
                    "max_seconds", "Longest overlap, in seconds.",
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

    static let schemas = [
        "CrossfadePlan": plan, "CrossfadeSide": side, "CrossfadeFade": fade,
    ]

    private static let plan = JSONSchema.object(
        [
            .always("from_id", .integer("The outgoing track.", minimum: 1)),
            .always("to_id", .integer("The incoming track.", minimum: 1)),
            .always(
                "transition",
                .oneOf(
                    CrossfadePlan.Transition.allCases.map(\.rawValue),
                    "`gapless`: both whole, as they were mastered. `cut`: one after the other. `overlap`: both for a while."
                )),
            .always(
                "start_seconds",
                .seconds("Where in the outgoing track the incoming one starts", example: 206.1)),
            .always("end_seconds", .seconds("Where the outgoing track ends", example: 211.4)),
            .always("cue_in_seconds", .seconds("Where the incoming track is entered", example: 0.4)),
            .always("overlap_seconds", .seconds("How long both play", example: 5.3)),
            .always("target_lufs", .number("The loudness aimed at, in LUFS.", example: -18)),
            .always("outgoing", .named("CrossfadeSide")),
            .always("incoming", .named("CrossfadeSide")),
            .maybe(
                "overlap_peak_dbtp",
                .number("Bound of the sum's true peak during the overlap, in dBTP.", maximum: 0.01)),
            .maybe("tempo", tempo),
            .maybe("key", key),
        ], "How one track goes over into another.")

    private static let side = JSONSchema.object(
        [
            .always(
                "gain_db",
                .number(
                    "Gain for the whole track in dB: what brings it to the loudness aimed at, but not over −1 dBTP."
                )
            ),
            .maybe(
                "album_gain_db",
                .number(
                    "The same for the album that both tracks are on, for players that keep the levels within it."
                )),
            .maybe("fade", .named("CrossfadeFade")),
        ], "What is done to one of the two tracks.")

    private static let fade = JSONSchema.object(
        [
            .always(
                "curve",
                .oneOf(
                    CrossfadePlan.Fade.Curve.allCases.map(\.rawValue),
                    "`none`: as it is. `linear`: straight in amplitude. `equal_power`: a quarter of a cosine from 1 to 0."
                )
            ),
            .always("start_seconds", .seconds("Where it begins in the track")),
            .always("duration_seconds", .seconds("How long it lasts")),
            .always("start_gain", .number("Factor of the amplitude at its start.", minimum: 0, maximum: 1)),
            .always("end_gain", .number("Factor of the amplitude at its end.", minimum: 0, maximum: 1)),
        ], "A change of gain during the overlap.")

    private static let tempo = JSONSchema.object(
        [
            .always(
                "ratio",
                .number(
                    "The speed at which the incoming track has the outgoing one's tempo; 1 is its own.",
                    minimum: 0,
                    isOpenBelow: true)),
            .always(
                "multiple",
                .number(
                    "Beats of the incoming track to one of the outgoing: 1, 2 or 0.5.", minimum: 0.5,
                    maximum: 2)),
            .always("can_align", .flag("Whether the ratio is near enough to 1 for beats to go together.")),
            .maybe(
                "outgoing_beat_seconds",
                .number("A beat of the outgoing track on which one of the incoming falls, in seconds.")),
            .maybe("incoming_beat_seconds", .number("That beat of the incoming track, in seconds.")),
            .always(
                "shift_seconds",
                .number("By how much the start was moved for that, in seconds; negative for earlier.")
            ),
            .always(
                "drift_seconds",
                .seconds(
                    "How far the beats have come apart at the end of the overlap where each keeps its own speed"
                )),
        ], "How the tempi stand to each other.")

    private static let key = JSONSchema.object(
        [
            .always("outgoing", .camelotKey),
            .always("incoming", .camelotKey),
            .always(
                "relation",
                .oneOf(CamelotKey.Relation.allCases.map(\.rawValue), "How they stand to each other.")),
            .always("steps", .integer("Fifths between them.", maximum: 6)),
            .always("is_compatible", .flag("Whether they go together.")),
        ], "How the keys stand to each other.")
}
