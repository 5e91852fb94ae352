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

    static let mode = QueryParameter<CrossfadePlan.Mode>(
        "mode",
        "`crossfade`: overlap where the outgoing track has faded. `mix`: in time with the beat where possible. "
            + "`gapless`, `off`: whole files.",
        default: CrossfadePlan.Options().mode)
    static let maximumBeats = QueryParameter<Int>(
        "max_beats", "Maximum overlap of a mix in beats.", in: CrossfadePlan.Options.beatRange,
        default: CrossfadePlan.Options().maximumBeats)
    static let onlyWhenItFits = QueryParameter<Bool>(
        "only_when_it_fits",
        "Tracks that cannot be mixed follow the rules of crossfades instead of being faded at their cue points."
    )

    package static let operations = [
        operation(
            .get, Routes.crossfade, "crossfade", "Plan the transition between two tracks",
            details: """
                The incoming track starts where the outgoing one has faded far enough below it to be inaudible; consecutive \
                tracks of an album play gaplessly, as mastered. Nothing audible is cut. With `mode=mix`, tracks whose beats and bars \
                are certain and whose tempi differ by at most 5 % are mixed for up to 32 beats; `reason` says why, or why not.
                """,
            parameters: [from, to, targetLUFS, maximumSeconds, mode, maximumBeats, onlyWhenItFits],
            answer: .json("CrossfadePlan", "The plan."),
            errors: [.noSuchTrack, .notAnalysed])
    ]

    package static let schemas: [String: JSONSchema] = [
        "CrossfadePlan": plan, "CrossfadeSide": side, "CrossfadeFade": fade, "CrossfadeMix": mix,
        "CrossfadeBass": bass, "TransitionScore": score,
    ]

    private static let plan = JSONSchema.object(
        [
            "from_id": .integer("ID of the outgoing track.", minimum: 1),
            "to_id": .integer("ID of the incoming track.", minimum: 1),
            "transition": .oneOf(
                CrossfadePlan.Transition.allCases.map(\.rawValue),
                "`gapless`: both tracks complete, as mastered. `cut`: one after the other. `overlap`: both at once for a while. `mix`: in time with each other."
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
            "mix": .named("CrossfadeMix").optional,
            "reason": .text("Why this transition was chosen, as a sentence.").optional,
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
            "bass": .named("CrossfadeBass").optional,
        ], "Gain and fade of one of the two tracks.")

    private static let fade = JSONSchema.object(
        [
            "curve": .oneOf(
                CrossfadePlan.Fade.Curve.allCases.map(\.rawValue),
                "`none`: no change. `linear`: linear in amplitude. `equal_power`: a quarter of a cosine from 1 to 0. `equal_power_rise`: a quarter of a sine from the start gain to the end gain."
            ),
            "start_seconds": .seconds("Start position in the track"),
            "duration_seconds": .seconds("Duration"),
            "start_gain": .number("Amplitude factor at the start.", minimum: 0, maximum: 1),
            "end_gain": .number("Amplitude factor at the end.", minimum: 0, maximum: 1),
            "exponent": .number(
                "Power to which the quarter of a cosine or sine is raised, so that the peaks of both tracks together stay below full scale. Omitted if it is 1.",
                minimum: 1, maximum: 2
            ).optional,
        ], "A change of gain during the overlap.")

    private static let mix = JSONSchema.object(
        [
            "beats": .integer("Duration in beats of the outgoing track.", minimum: 2, maximum: 32),
            "beats_per_bar": .integer("Beats of the outgoing track in a bar.", minimum: 1),
            "ratio": .number(
                "Speed of the incoming track during the overlap; its pitch does not change.", minimum: 0.95,
                maximum: 1.05),
            "return_start_seconds": .seconds(
                "Position in the incoming track at which its speed starts to return to 1"),
            "return_end_seconds": .seconds("Position in the incoming track at which its speed is 1 again"),
            "leaves_at_phrase": .flag("Whether the outgoing track is left at the start of a phrase."),
            "largest_offset_seconds": .seconds(
                "Largest distance between beats that should coincide, according to the analysis"),
            "score": .named("TransitionScore"),
        ], "A mix in time with the beat, from the start of a bar of both tracks.")

    private static let score = JSONSchema.object(
        [
            "key": .number("Score of the keys.", minimum: 0, maximum: 1),
            "tempo": .number("Score of the tempi.", minimum: 0, maximum: 1),
            "level": .number("Score of the levels.", minimum: 0, maximum: 1),
        ], "How well the tracks go together.")

    private static let bass = JSONSchema.object(
        [
            "hertz": .number("Corner frequency of a low shelf with a slope of 1, in Hz."),
            "start_seconds": .seconds("Start of the change in the track"),
            "duration_seconds": .seconds("Duration of the change"),
            "start_gain_db": .number("Gain before it in dB."),
            "end_gain_db": .number("Gain after it in dB; in between, linear in dB."),
        ], "The change of a track's bass during a mix.")

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
