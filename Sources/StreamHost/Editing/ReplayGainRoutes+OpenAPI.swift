internal import Companion
internal import HTTPServer
internal import MusicShared

extension ReplayGainRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .post, path: Routes.replayGain, id: "tagReplayGain",
            summary: "Writes ReplayGain 2.0 tags",
            details: """
                Tracks of the lists, all where there are none, `limit` at a request; the `cursor` of an answer goes on. Values \
                come from the stored measurements and are written as rsgain writes them; files that are right already are \
                not touched. Album values are left out where a track of the album is not analysed yet.
                """, tag: "Tags", access: .key,
            body: .object(
                [
                    .maybe(
                        "album",
                        .oneOf(
                            ReplayGainOptions.Albums.allCases.map(\.rawValue),
                            "Which tracks share album values; none: those in the tags stay.", standard: "tags"
                        )
                    ),
                    .maybe(
                        "peak",
                        .oneOf(
                            ReplayGainOptions.Peak.allCases.map(\.rawValue),
                            "Which peak is written: the largest sample or the true peak.", standard: "sample")
                    ),
                    .maybe(
                        "clip_mode",
                        .oneOf(
                            ReplayGainOptions.ClipMode.allCases.map(\.rawValue),
                            "Which gains are lowered so that the peak stays below full scale.",
                            standard: "none")),
                    .maybe(
                        "target_lufs",
                        .number(
                            "The loudness that gains lead to, in LUFS.", minimum: -30, maximum: -5,
                            standard: -18)),
                    .maybe("skip_existing", .flag("Leave files alone that have values, right or not.")),
                    .maybe("dry_run", .flag("Whether values are only shown; false where it is left out.")),
                ] + TrackPageRequest.properties), answer: "A result for each track.",
            contents: [.json(.named("ReplayGainResults"))], errors: TrackPageRequest.errors)
    ]

    static let schemas = [
        "EditResult": EditSchemas.result,
        "ReplayGainResults": JSONSchema.object(TrackPageRequest.answer("A result for each track.")),
    ]
}
