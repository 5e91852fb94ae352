package import APIDescription
internal import HTTPServer
internal import MusicFiles
internal import MusicShared

extension ReplayGainRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.replayGain, id: "tagReplayGain",
            summary: "Write ReplayGain 2.0 tags",
            details: """
                Processes the tracks of the lists, or with `all` the whole library, up to `limit` per request; pass the \
                `cursor` of a response to continue. Unless `dry_run` is false, nothing is written and the response only \
                lists the values. They come from the stored measurements and are written in rsgain's format; files that \
                already have the right values are not touched. Album values are omitted if a track of the album has not been \
                analysed yet.
                """, tag: "Tags", access: .key, role: .editor,
            body: .object(
                [
                    .maybe(
                        "album",
                        .oneOf(
                            ReplayGainOptions.Albums.allCases.map(\.rawValue),
                            "Which tracks share album values; with none, those in the tags are kept.",
                            standard: "tags"
                        )
                    ),
                    .maybe(
                        "peak",
                        .oneOf(
                            ReplayGainOptions.Peak.allCases.map(\.rawValue),
                            "Which peak is written: sample peak or true peak.", standard: "sample")
                    ),
                    .maybe(
                        "clip_mode",
                        .oneOf(
                            ReplayGainOptions.ClipMode.allCases.map(\.rawValue),
                            "Which gains are reduced to keep the peak below full scale.",
                            standard: "none")),
                    .maybe(
                        "target_lufs",
                        .number(
                            "Target loudness in LUFS.", minimum: -30, maximum: -5,
                            standard: -18)),
                    .maybe(
                        "skip_existing",
                        .flag("Whether to skip files that already have values, right or wrong.")),
                    .maybe(
                        "dry_run",
                        .flag("Whether values are only listed. Defaults to true, the safe choice.")),
                ] + TrackPageRequest.properties), answer: "A result for each track.",
            contents: [.json(.named("ReplayGainResults"))], errors: TrackPageRequest.errors)
    ]

    package static let schemas = [
        "EditResult": EditSchemas.result,
        "ReplayGainResults": JSONSchema.object(TrackPageRequest.answer("A result for each track.")),
    ]
}
