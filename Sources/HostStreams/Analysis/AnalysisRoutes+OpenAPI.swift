package import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

extension AnalysisRoutes {
    package static let tag = "Analysis"

    /// The formats of spectra.
    enum SpectraFormat: String, CaseIterable {
        case binary, json
    }

    /// The formats of waveforms: audiowaveform's.
    enum WaveformFormat: String, CaseIterable {
        case json, dat
    }

    static let spectraFormat = QueryParameter<SpectraFormat?>(
        "format", "Response format; by default `binary`, unless `Accept` asks for JSON.")
    static let element = QueryParameter<VisualizerStream.Element>(
        "type", "Element type of the binary format.", default: .byte)
    static let waveformFormat = QueryParameter<WaveformFormat>("format", "Response format.", default: .json)

    package static let operations = [
        operation(
            .get, Routes.analysis, "analysis", "Get all measurements of a track",
            access: .keyOrToken, parameters: [Query.audioHash],
            answer: .json(
                "TrackReport",
                "The track's measurements and tags; only its tags if it has not been analysed yet."),
            errors: [.noSuchAudio]),
        operation(
            .get, Routes.visualizer, "visualizer", "Get a track's spectrum frames for visualizers",
            details: """
                Row k describes the audio at k / frame rate seconds. Binary format, little-endian: bytes 0–3 `AVF1`; 4–7 \
                header length (32); 8–11 rows; 12–15 bands; 16–19 rows per second (float); 20 element type (0: \
                bytes, 1: floats from 0 to 1); 21–23 zero; 24–27 level of 0 in dBFS (float); 28–31 level of the maximum in dBFS \
                (float); then the rows. `Accept: application/json` also selects JSON.
                """, access: .keyOrToken,
            parameters: [Query.audioHash, spectraFormat, element, Query.emptyForMissing],
            answer: .content(
                .bytes("application/octet-stream"), .json(spectraSchema), meaning: "The spectrum frames."
            ).tagged.ranged, otherAnswers: [.missing],
            errors: [.noSuchAudio, .noFrames]),
        operation(
            .get, Routes.waveform, "waveform", "Get the waveform of a track",
            details: "In audiowaveform's JSON or binary data format, version 2, 8 bits.",
            access: .keyOrToken,
            parameters: [Query.audioHash, waveformFormat, Query.emptyForMissing],
            answer: .content(
                .json(waveformSchema), .bytes("application/octet-stream"), meaning: "The waveform."
            ).tagged.ranged, otherAnswers: [.missing],
            errors: [.noSuchAudio, .noWaveform]),
        operation(
            .get, Routes.analysisFailures, "analysisFailures", "List files that could not be analysed",
            details:
                "Sorted by path, each with the reason. A file is removed from the list once it has been analysed.",
            parameters: [Query.limit, Query.offset],
            answer: .json("AnalysisFailureList", "The files.")),
    ]

    package static let schemas: [String: JSONSchema] = [
        "TrackReport": TrackField.reportSchema,
        "AnalysisFailureList": [
            "failures": .array(of: failureSchema, "The files on this page."),
            "total": .integer("Total number of failed files."),
        ],
    ]

    private static let failureSchema: JSONSchema = [
        "relative_path": .text("Path relative to the music folder."),
        "code": .text("Stable error code.", example: "no_audio"),
        "message": .text("Human-readable reason."),
        "attempts": .integer("Number of failed attempts on this version of the file.", minimum: 1),
        "failed_at": .number("Time of the last failure, in seconds since 1970 (UTC)."),
        "is_given_up": .flag("Whether it is not retried until it changes or a client requests it."),
    ]

    private static let spectraSchema: JSONSchema = [
        "fps": .integer("Frames per second.", minimum: 1),
        "bands": .integer("Number of bands, lowest first.", minimum: 1),
        "floor_dbfs": .number("Level of value 0 in dBFS; 255 is full scale."),
        "frames": .array(of: .array(of: .integer(maximum: 255)), "The level of each band, for each frame."),
    ]

    private static let waveformSchema: JSONSchema = [
        "version": .integer("Format version.", minimum: 2, maximum: 2),
        "channels": .integer("Number of channels.", minimum: 1, maximum: 1),
        "sample_rate": .integer("Sample rate in Hz.", minimum: 1),
        "samples_per_pixel": .integer("Samples per pair of values.", minimum: 1),
        "bits": .integer("Bits per value.", minimum: 8, maximum: 8),
        "length": .integer("Number of pairs of values."),
        "data": .array(
            of: .integer(minimum: -128, maximum: 127), "Minimum and maximum of each pair, alternating."),
    ]
}
