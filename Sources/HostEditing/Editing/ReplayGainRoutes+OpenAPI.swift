package import APIDescription
internal import HTTPServer
internal import MusicFiles
internal import MusicShared

extension ReplayGainRoutes {
    package static let tag = "Tags"

    package static let operations = [
        operation(
            .post, Routes.replayGain, "tagReplayGain", "Write ReplayGain 2.0, tempo and key to tags",
            details: """
                Processes the tracks of the lists, or with `all` the whole library, up to `limit` per request; pass the \
                `cursor` of a response to continue. Unless `dry_run` is false, nothing is written and the response only \
                lists the values. They come from the stored measurements and are written in rsgain's format; files that \
                already have the right values are not touched. Tempo and key are written only on request, because they \
                replace those of other programs; tracks without one keep what they have. Album values are omitted if a track of the album has not been \
                analysed yet.
                """, role: .editor,
            body: [
                "replay_gain": .flag("Whether ReplayGain is written. Defaults to true.").optional,
                "bpm": .flag("Whether the tempo is written, in whole beats per minute (`TBPM`).").optional,
                "key": .oneOf(
                    MeasuredTagOptions.KeyNotation.allCases.map(\.rawValue),
                    "How the key is written (`TKEY`): `F#m` or `11A`. Without it, keys are not written."
                ).optional,
                "album": .oneOf(
                    MeasuredTagOptions.Albums.allCases.map(\.rawValue),
                    "Which tracks share album values; with none, those in the tags are kept.",
                    standard: "tags"
                ).optional,
                "peak": .oneOf(
                    MeasuredTagOptions.Peak.allCases.map(\.rawValue),
                    "Which peak is written: sample peak or true peak.", standard: "sample"
                ).optional,
                "clip_mode": .oneOf(
                    MeasuredTagOptions.ClipMode.allCases.map(\.rawValue),
                    "Which gains are reduced to keep the peak below full scale.",
                    standard: "none"
                ).optional,
                "target_lufs": .number(
                    "Target loudness in LUFS.", minimum: -30, maximum: -5,
                    standard: -18
                ).optional,
                "skip_existing": .flag("Whether to skip files that already have values, right or wrong.")
                    .optional,
                "dry_run": .flag("Whether values are only listed. Defaults to true, the safe choice.")
                    .optional,
            ] + TrackPageRequest.properties, answer: .json("ReplayGainResults", "A result for each track."),
            errors: TrackPageRequest.errors)
    ]

    package static let schemas: [String: JSONSchema] = [
        "EditResult": EditSchemas.result,
        "ReplayGainResults": TrackPageRequest.answer("A result for each track."),
    ]
}
