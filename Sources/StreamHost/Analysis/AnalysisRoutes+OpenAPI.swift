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
            ], answer: "The frames.",
            contents: [.bytes("application/octet-stream"), .json(framesSchema)], hasEntityTag: true,
            allowsRanges: true,
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
            ], answer: "The waveform.",
            contents: [.json(waveformSchema), .bytes("application/octet-stream")], hasEntityTag: true,
            allowsRanges: true,
            errors: [
                .noTrack, .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_waveform", meaning: "The track has no waveform yet."),
            ]),
    ]

    static let schemas = ["TrackReport": TrackReport.schema]

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
