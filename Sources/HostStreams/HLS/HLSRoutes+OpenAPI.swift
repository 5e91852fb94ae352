package import APIDescription
internal import HTTPServer
internal import MusicShared

extension HLSRoutes {
    private static let errors =
        [
            OpenAPIError.noTrack, .noAudio,
            OpenAPIError(
                status: .unprocessableContent, code: "cannot_segment",
                meaning: "The file cannot be cut into segments, for example because it uses free format."),
        ] + OpenAPIError.file
    /// Options that alter the stream.
    static let options = [
        OpenAPIParameter.query(
            "trim",
            "Removes silence at both ends, or everything outside the cue points, rounded to whole frames.",
            .oneOf(StreamOptions.Trim.allCases.map(\.rawValue))),
        .query(
            "normalize",
            "Target integrated loudness in LUFS. Changes the gain fields of the frames, in steps of 1.5 dB.",
            .number(minimum: StreamOptions.targets.lowerBound, maximum: StreamOptions.targets.upperBound)),
        .query(
            "loudness", "Whether to normalise the loudness of the track or of its album.",
            .oneOf(StreamOptions.Loudness.allCases.map(\.rawValue), standard: "track")),
        .query(
            "peak_limit", "Maximum true peak after normalisation, in dBTP from -20 to 0, or \"off\".",
            .text(
                matching: "^(off|0(\\.0{1,6})?|-(1?[0-9](\\.[0-9]{1,6})?|20(\\.0{1,6})?))$", example: "-1")),
        .query(
            "fade",
            "Length of a fade-out at the end, in seconds: by 60 dB, in steps of 1.5 dB between frames. At most half of the track.",
            .number(minimum: StreamOptions.fades.lowerBound, maximum: StreamOptions.fades.upperBound)),
    ]
    private static let quality = OpenAPIParameter.query(
        "quality",
        "The frames of the original file, or a transcoded version at 64 kbit/s (32 for mono), which is created on "
            + "first request.", .oneOf(StreamQuality.allCases.map(\.rawValue), standard: "original"))
    private static let qualityErrors = [
        OpenAPIError(
            status: .unprocessableContent, code: "no_low_quality",
            meaning: "The track's bit rate is already low, or its frames are not uniform."),
        OpenAPIError(
            status: .unprocessableContent, code: "not_normalised",
            meaning: "The low quality is only available at the original level."),
    ]
    private static let optionErrors = [
        OpenAPIError.badParameter,
        OpenAPIError(
            status: .unprocessableContent, code: "not_measured",
            meaning: "The track has not been measured yet, so it cannot be trimmed or normalised."),
        OpenAPIError(
            status: .unprocessableContent, code: "gain_out_of_range",
            meaning: "The level of the frames cannot be changed that much."),
    ]
    private static let playlist = [OpenAPIResponse.Content.text(HLSManifestGenerator.contentType)]

    package static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.mediaPlaylist, id: "mediaPlaylist",
            summary: "Get the HLS playlist of a track",
            details: "Durations are exact: each segment consists of whole MPEG frames.", tag: "HLS",
            parameters: [
                .trackID, .audioHash,
                .query(
                    "form", "One URL per segment, or byte ranges of the original file.",
                    .oneOf(["segments", "byteranges"], standard: "segments")),
                quality,
            ] + options, answer: "The playlist (RFC 8216).", contents: playlist, hasEntityTag: true,
            errors: errors + optionErrors + qualityErrors + [
                OpenAPIError(
                    status: .unprocessableContent, code: "not_contiguous",
                    meaning: "The file has junk inside segments, so they are not contiguous byte ranges."),
                OpenAPIError(
                    status: .unprocessableContent, code: "not_the_file",
                    meaning: "Ranges of the original file cannot be normalised or faded."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.masterPlaylist, id: "masterPlaylist",
            summary: "Get the HLS master playlist of a track",
            details: "Its session data contains loudness, peaks, tempo, cue points and gapless trimming.",
            tag: "HLS", parameters: [.trackID, .audioHash] + options, answer: "The playlist (RFC 8216).",
            contents: playlist,
            hasEntityTag: true, errors: errors + optionErrors),
        OpenAPIOperation(
            method: .get, path: Routes.segment, id: "segment", summary: "Get a segment of a track",
            details: """
                An ID3 timestamp (RFC 8216, section 3.4) and whole frames of the original file. If the URL contains the audio \
                hash, the segment never changes and may be cached forever.
                """,
            tag: "HLS",
            parameters: [
                .trackID,
                .path("index", "Zero-based index of the segment.", .integer(maximum: 999_999, example: 0)),
                .audioHash,
                .query(
                    "frames", "Frames covered by its playlist: the first, and the one after the last.",
                    .text(matching: "^[0-9]{1,9}-[0-9]{1,9}$", example: "12-3400")),
                .query(
                    "gain", "Gain in steps of 1.505 dB.", .integer(minimum: -255, maximum: 255)
                ),
                .query("fade", "Number of frames that fade out at the end.", .integer(maximum: 9_999_999)),
                .query(
                    "start", "Start time of the track in its playlist, in 90 kHz units.",
                    .integer(minimum: 0, maximum: Int(PackedAudioTimestamp.largest))),
                quality,
            ], answer: "The segment.", contents: [.bytes("audio/mpeg")], hasEntityTag: true,
            allowsRanges: true,
            errors: errors + [
                OpenAPIError(
                    status: .notFound, code: "no_such_segment",
                    meaning: "The track has fewer segments or frames."),
                .badParameter,
            ] + qualityErrors),
        OpenAPIOperation(
            method: .get, path: Routes.segmentIndex, id: "segmentIndex",
            summary: "Get the positions of a track's segments in its file",
            details: """
                For players that fetch ranges of the original file and decode them themselves: with the stated pre-roll, a \
                segment decodes to the same samples as within the whole file. Times and samples are on the untrimmed \
                timeline. The gain for `normalize` and the frame count for `fade` are returned for the player to apply, \
                since the file is unaltered.
                """, tag: "HLS", parameters: [.trackID, .audioHash] + options, answer: "The segments.",
            contents: [.json(segmentIndexSchema)], hasEntityTag: true, errors: errors + optionErrors),
    ]

    private static let segmentIndexSchema = JSONSchema.object([
        .always("track_id", .integer("Track ID.", minimum: 1)),
        .always("audio_hash", .audioHash),
        .always("file_size_bytes", .integer("Size of the original file in bytes.")),
        .always("sample_rate_hz", .integer("Sample rate in Hz.", minimum: 8000, maximum: 48_000)),
        .always("channels", .integer("Number of channels.", minimum: 1, maximum: 2)),
        .always("samples_per_frame", .integer("Samples per channel and frame.", minimum: 384)),
        .always("frame_count", .integer("Number of MPEG audio frames.")),
        .always("encoder_delay_samples", .integer("Samples that the encoder added at the start.")),
        .always("encoder_padding_samples", .integer("Samples that the encoder added at the end.")),
        .always("decoded_sample_count", .integer("Samples per channel before trimming.")),
        .always("sample_count", .integer("Samples per channel in gapless playback.")),
        .maybe(
            "gain_db", .number("Gain that the player must apply for the requested loudness, in dB.")),
        .maybe(
            "fade_frame_count",
            .integer("Number of frames at the end that the player must fade out.")),
        .always("segments", .array(of: segmentSchema, "All segments in order.")),
    ])

    private static let segmentSchema = JSONSchema.object([
        .always("index", .integer("Zero-based index.")),
        .always("byte_offset", .integer("Byte offset of its first frame in the file.")),
        .always(
            "byte_length", .integer("Number of bytes from there to the end of its last frame.", minimum: 1)),
        .always("first_frame", .integer("Index of its first frame.")),
        .always("frame_count", .integer("Number of frames.", minimum: 1)),
        .always("start_sample", .integer("Index of its first sample.")),
        .always("start_seconds", .seconds("Exact start time")),
        .always("duration_seconds", .seconds("Exact duration")),
        .always("sample_count", .integer("Samples per channel.", minimum: 1)),
        .always(
            "preroll_frames",
            .integer("Number of preceding frames to decode first; discard their output.")),
        .always("preroll_byte_offset", .integer("Byte offset of the first of those frames.")),
    ])
}
