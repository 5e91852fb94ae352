internal import HTTPServer
internal import MusicShared

extension AnalysisRoutes {
    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.analysis, id: "analysis", summary: "All measurements of a track",
            tag: "Analysis", parameters: [.trackID],
            answer: "What is known of the track. Of one that was not analysed yet only what its tags say.",
            contents: [.json(.named("TrackReport"))], errors: [.noTrack]),
        OpenAPIOperation(
            method: .get, path: Routes.visualizer, id: "visualizer",
            summary: "Spectra to draw in time with a track",
            details: """
                Row k describes the music at k / frame rate seconds. The binary form, little-endian: bytes 0–3 `AVF1`; 4–7 \
                length of the header (32); 8–11 rows; 12–15 bands; 16–19 rows a second (float); 20 type of the elements (0: \
                bytes, 1: floats from 0 to 1); 24–27 level of 0 in dBFS (float); 28–31 level of the largest value in dBFS \
                (float); then the rows. Asked for with `Accept: application/json` it comes as JSON too.
                """, tag: "Analysis",
            parameters: [
                .trackID,
                .query(
                    "format", "The form of the answer.", .oneOf(["binary", "json"], standard: "binary")),
                .query(
                    "type", "The elements of the binary form.",
                    .oneOf(["uint8", "float32"], standard: "uint8")),
                .emptyForMissing,
            ], answer: "The frames.",
            contents: [.bytes("application/octet-stream"), .json(framesSchema)], otherAnswers: [.missing],
            hasEntityTag: true, allowsRanges: true,
            errors: [
                .noTrack, .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_frames", meaning: "The track has no visualizer frames yet."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.waveform, id: "waveform", summary: "The waveform of a track",
            details: "In the two forms of audiowaveform's data format, version 2, with 8 bits.",
            tag: "Analysis",
            parameters: [
                .trackID,
                .query("format", "The form of the answer.", .oneOf(["json", "dat"], standard: "json")),
                .emptyForMissing,
            ], answer: "The waveform.",
            contents: [.json(waveformSchema), .bytes("application/octet-stream")], otherAnswers: [.missing],
            hasEntityTag: true, allowsRanges: true,
            errors: [
                .noTrack, .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_waveform", meaning: "The track has no waveform yet."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.analysisFailures, id: "analysisFailures",
            summary: "Files that could not be analysed",
            details:
                "Each with the reason, in the order of their paths. One that is analysed after all leaves the list.",
            tag: "Analysis", access: .key,
            parameters: OpenAPIParameter.page(), answer: "The files.",
            contents: [.json(.named("AnalysisFailureList"))],
            errors: [.badParameter, .unknownParameter]),
    ]

    static let schemas = [
        "TrackReport": TrackReport.schema,
        "AnalysisFailureList": JSONSchema.object([
            .always("failures", .array(of: failureSchema, "The files of this page.")),
            .always("total", .integer("How many there are in all.")),
        ]),
    ]

    private static let failureSchema = JSONSchema.object([
        .always("relative_path", .text("Path in the music folder.")),
        .always("code", .text("Name of the reason, for programs.", example: "not_mp3")),
        .always("message", .text("The reason, for a person.")),
        .always("attempts", .integer("How often it has failed in this state.", minimum: 1)),
        .always("failed_at", .number("When it last failed, in seconds since 1970 (UTC).")),
        .always(
            "is_given_up", .flag("Whether it is left alone until it changes, or somebody asks for it.")),
    ])

    private static let framesSchema = JSONSchema.object([
        .always("fps", .integer("Frames a second.", minimum: 1)),
        .always("bands", .integer("Bands, the lowest first.", minimum: 1)),
        .always("floor_dbfs", .number("The level that 0 stands for, in dBFS; 255 is full scale.")),
        .always(
            "frames",
            .array(of: .array(of: .integer(maximum: 255)), "For each frame the level of each band.")),
    ])

    private static let waveformSchema = JSONSchema.object([
        .always("version", .integer("Version of the format.", minimum: 2, maximum: 2)),
        .always("channels", .integer("Channels.", minimum: 1, maximum: 1)),
        .always("sample_rate", .integer("Sample rate in Hz.", minimum: 1)),
        .always("samples_per_pixel", .integer("Samples that a pair of values stands for.", minimum: 1)),
        .always("bits", .integer("Bits of a value.", minimum: 8, maximum: 8)),
        .always("length", .integer("Pairs of values.")),
        .always(
            "data",
            .array(of: .integer(minimum: -128, maximum: 127), "Minimum and maximum of each pair in turn.")
        ),
    ])
}
