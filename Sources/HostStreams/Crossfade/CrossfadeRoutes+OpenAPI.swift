package import APIDescription
internal import HTTPServer
internal import MusicShared

extension CrossfadeRoutes {
    package static let tag = "Analysis"

    static let from = QueryParameter<Int?>(id: "from", "ID of the outgoing track.", example: 1).required()
    static let to = QueryParameter<Int?>(id: "to", "ID of the incoming track.", example: 2).required()
    static let targetLUFS = QueryParameter<Double>(
        "target_lufs", "Target loudness of the gains in LUFS.", in: CrossfadePlan.Options.targetRange,
        default: CrossfadePlan.Options().targetLUFS)
    static let maximumSeconds = QueryParameter<Double>(
        "max_seconds", "Maximum overlap in seconds.", in: CrossfadePlan.Options.maximumRange,
        default: CrossfadePlan.Options().maximumSeconds)

    package static let operations = [
        operation(
            .get, Routes.crossfade, "crossfade", "Plan the transition between two tracks",
            details: """
                The incoming track starts where the outgoing one has faded far enough below it to be inaudible; consecutive \
                tracks of an album play gaplessly, as mastered. Nothing audible is cut.
                """,
            parameters: [from, to, targetLUFS, maximumSeconds], answer: .json("CrossfadePlan", "The plan."),
            errors: [.noSuchTrack, .notAnalysed])
    ]

    package static let schemas: [String: JSONSchema] = [
        "CrossfadePlan": plan, "CrossfadeSide": side, "CrossfadeFade": fade,
    ]

    private static let plan = JSONSchema.object(
        [
            "from_id": .integer("ID of the outgoing track.", minimum: 1),
            "to_id": .integer("ID of the incoming track.", minimum: 1),
            "transition": .oneOf(
                CrossfadePlan.Transition.allCases.map(\.rawValue),
                "`gapless`: both tracks complete, as mastered. `cut`: one after the other. `overlap`: both at once for a while."
            ),
            "start_seconds": .seconds(
                "Position in the outgoing track at which the incoming one starts", example: 206.1),
            "end_seconds": .seconds("Position at which the outgoing track ends", example: 211.4),
            "cue_in_seconds": .seconds("Position at which the incoming track is entered", example: 0.4),
            "overlap_seconds": .seconds("Duration of the overlap", example: 5.3),
            "target_lufs": .number("Target loudness in LUFS.", example: -18),
            "outgoing": .named("CrossfadeSide"),
            "incoming": .named("CrossfadeSide"),
            "overlap_peak_dbtp": .number(
                "Upper bound of the mix's true peak during the overlap, in dBTP.", maximum: 0.01
            ).optional,
            "tempo": tempo.optional,
            "key": key.optional,
        ], "The transition between two tracks.")

    private static let side = JSONSchema.object(
        [
            "gain_db": .number(
                "Gain for the whole track in dB: reaches the target loudness without exceeding −1 dBTP."
            ),
            "album_gain_db": .number(
                "The same for the album that both tracks are on, for players that preserve levels within an album."
            ).optional,
            "fade": .named("CrossfadeFade").optional,
        ], "Gain and fade of one of the two tracks.")

    private static let fade = JSONSchema.object(
        [
            "curve": .oneOf(
                CrossfadePlan.Fade.Curve.allCases.map(\.rawValue),
                "`none`: no change. `linear`: linear in amplitude. `equal_power`: a quarter of a cosine from 1 to 0."
            ),
            "start_seconds": .seconds("Start position in the track"),
            "duration_seconds": .seconds("Duration"),
            "start_gain": .number("Amplitude factor at the start.", minimum: 0, maximum: 1),
            "end_gain": .number("Amplitude factor at the end.", minimum: 0, maximum: 1),
        ], "A change of gain during the overlap.")

    private static let tempo = JSONSchema.object(
        [
            "ratio": .number(
                "Playback speed at which the incoming track matches the outgoing one's tempo; 1 is its own speed.",
                minimum: 0,
                isOpenBelow: true),
            "multiple": .number(
                "Beats of the incoming track per beat of the outgoing one: 1, 2 or 0.5.", minimum: 0.5,
                maximum: 2),
            "can_align": .flag("Whether the ratio is close enough to 1 to align beats."),
            "outgoing_beat_seconds": .number(
                "Time in the outgoing track at which beats of both coincide, in seconds."
            ).optional,
            "incoming_beat_seconds": .number("Time of that beat in the incoming track, in seconds.").optional,
            "shift_seconds": .number(
                "Shift of the start made to align the beats, in seconds; negative is earlier."),
            "drift_seconds": .seconds(
                "How far the beats have drifted apart at the end of the overlap if both keep their own speed"
            ),
        ], "Relation of the tempi.")

    private static let key = JSONSchema.object(
        [
            "outgoing": .camelotKey,
            "incoming": .camelotKey,
            "relation": .oneOf(CamelotKey.Relation.self, "Relation of the keys."),
            "steps": .integer("Distance in fifths.", maximum: 6),
            "is_compatible": .flag("Whether the keys are compatible."),
        ], "Relation of the keys.")
}
