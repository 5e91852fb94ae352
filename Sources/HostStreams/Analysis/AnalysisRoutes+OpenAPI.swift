package import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension AnalysisRoutes {
    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.analysis, id: "analysis", summary: "Get all measurements of a track",
            tag: "Analysis", parameters: [.trackID, .audioHash],
            answer: "The track's measurements and tags; only its tags if it has not been analysed yet.",
            contents: [.json(.named("TrackReport"))], errors: [.noTrack, .noAudio]),
        OpenAPIOperation(
            method: .get, path: Routes.visualizer, id: "visualizer",
            summary: "Get a track's spectrum frames for visualizers",
            details: """
                Row k describes the audio at k / frame rate seconds. Binary format, little-endian: bytes 0–3 `AVF1`; 4–7 \
                header length (32); 8–11 rows; 12–15 bands; 16–19 rows per second (float); 20 element type (0: \
                bytes, 1: floats from 0 to 1); 21–23 zero; 24–27 level of 0 in dBFS (float); 28–31 level of the maximum in dBFS \
                (float); then the rows. `Accept: application/json` also selects JSON.
                """, tag: "Analysis",
            parameters: [
                .trackID, .audioHash,
                .query(
                    "format", "Response format.", .oneOf(["binary", "json"], standard: "binary")),
                .query(
                    "type", "Element type of the binary format.",
                    .oneOf(["uint8", "float32"], standard: "uint8")),
                .emptyForMissing,
            ], answer: "The spectrum frames.",
            contents: [.bytes("application/octet-stream"), .json(spectraSchema)], otherAnswers: [.missing],
            hasEntityTag: true, allowsRanges: true,
            errors: [
                .noTrack, .noAudio, .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_frames", meaning: "The track has no spectrum frames yet."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.waveform, id: "waveform", summary: "Get the waveform of a track",
            details: "In audiowaveform's JSON or binary data format, version 2, 8 bits.",
            tag: "Analysis",
            parameters: [
                .trackID, .audioHash,
                .query("format", "Response format.", .oneOf(["json", "dat"], standard: "json")),
                .emptyForMissing,
            ], answer: "The waveform.",
            contents: [.json(waveformSchema), .bytes("application/octet-stream")], otherAnswers: [.missing],
            hasEntityTag: true, allowsRanges: true,
            errors: [
                .noTrack, .noAudio, .badParameter,
                OpenAPIError(
                    status: .notFound, code: "no_waveform", meaning: "The track has no waveform yet."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.analysisFailures, id: "analysisFailures",
            summary: "List files that could not be analysed",
            details:
                "Sorted by path, each with the reason. A file is removed from the list once it has been analysed.",
            tag: "Analysis", access: .key,
            parameters: OpenAPIParameter.page(), answer: "The files.",
            contents: [.json(.named("AnalysisFailureList"))],
            errors: [.badParameter, .unknownParameter]),
    ]

    package static let schemas = [
        "TrackReport": TrackField.reportSchema,
        "AnalysisFailureList": JSONSchema.object([
            .always("failures", .array(of: failureSchema, "The files on this page.")),
            .always("total", .integer("Total number of failed files.")),
        ]),
    ]

    private static let failureSchema = JSONSchema.object([
        .always("relative_path", .text("Path relative to the music folder.")),
        .always("code", .text("Stable error code.", example: "not_mp3")),
        .always("message", .text("Human-readable reason.")),
        .always("attempts", .integer("Number of failed attempts on this version of the file.", minimum: 1)),
        .always("failed_at", .number("Time of the last failure, in seconds since 1970 (UTC).")),
        .always(
            "is_given_up", .flag("Whether it is not retried until it changes or a client requests it.")),
    ])

    private static let spectraSchema = JSONSchema.object([
        .always("fps", .integer("Frames per second.", minimum: 1)),
        .always("bands", .integer("Number of bands, lowest first.", minimum: 1)),
        .always("floor_dbfs", .number("Level of value 0 in dBFS; 255 is full scale.")),
        .always(
            "frames",
            .array(of: .array(of: .integer(maximum: 255)), "The level of each band, for each frame.")),
    ])

    private static let waveformSchema = JSONSchema.object([
        .always("version", .integer("Format version.", minimum: 2, maximum: 2)),
        .always("channels", .integer("Number of channels.", minimum: 1, maximum: 1)),
        .always("sample_rate", .integer("Sample rate in Hz.", minimum: 1)),
        .always("samples_per_pixel", .integer("Samples per pair of values.", minimum: 1)),
        .always("bits", .integer("Bits per value.", minimum: 8, maximum: 8)),
        .always("length", .integer("Number of pairs of values.")),
        .always(
            "data",
            .array(
                of: .integer(minimum: -128, maximum: 127), "Minimum and maximum of each pair, alternating.")
        ),
    ])
}
