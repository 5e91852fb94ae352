internal import HTTPServer
internal import MusicShared

extension HLSRoutes {
    private static let errors =
        [
            OpenAPIError.noTrack,
            OpenAPIError(
                status: .unprocessableContent, code: "cannot_segment",
                meaning: "The file cannot be cut into segments, such as one of free format."),
        ] + OpenAPIError.file
    /// What a stream can be asked to differ by.
    static let options = [
        OpenAPIParameter.query(
            "trim",
            "Leaves away the silence at both ends, or what lies outside the cue points, to whole frames.",
            .oneOf(StreamOptions.Trim.allCases.map(\.rawValue))),
        .query(
            "normalize",
            "Integrated loudness to come to, in LUFS: the gain fields of the frames are changed, in steps of 1.5 dB.",
            .number(minimum: StreamOptions.targets.lowerBound, maximum: StreamOptions.targets.upperBound)),
        .query(
            "loudness", "Whose loudness is brought there: the track's, or that of its album.",
            .oneOf(StreamOptions.Loudness.allCases.map(\.rawValue), standard: "track")),
        .query(
            "peak_limit", "What the true peak may come to, in dBTP from -20 to 0, or \"off\".",
            .text(
                matching: "^(off|0(\\.0{1,6})?|-(1?[0-9](\\.[0-9]{1,6})?|20(\\.0{1,6})?))$", example: "-1")),
        .query(
            "fade",
            "Length of a fade-out at the end, in seconds: by 60 dB, in steps of 1.5 dB from frame to frame. At most half of the track.",
            .number(minimum: StreamOptions.fades.lowerBound, maximum: StreamOptions.fades.upperBound)),
    ]
    private static let quality = OpenAPIParameter.query(
        "quality",
        "The frames of the original file, or the same sound at 64 kbit/s (32 where it is mono), which is made when it is "
            + "first asked for.", .oneOf(StreamQuality.allCases.map(\.rawValue), standard: "original"))
    private static let qualityErrors = [
        OpenAPIError(
            status: .unprocessableContent, code: "no_low_quality",
            meaning: "The track is small already, or its frames are not all alike."),
        OpenAPIError(
            status: .unprocessableContent, code: "not_normalised",
            meaning: "The low quality is only there at the level of the original."),
    ]
    private static let optionErrors = [
        OpenAPIError.badParameter,
        OpenAPIError(
            status: .unprocessableContent, code: "not_measured",
            meaning: "The track is not measured yet, so it can be neither trimmed nor normalised."),
        OpenAPIError(
            status: .unprocessableContent, code: "gain_out_of_range",
            meaning: "The level of the frames cannot be changed so far."),
    ]
    private static let playlist = [OpenAPIResponse.Content.text(HLSManifestGenerator.contentType)]

    static let operations = [
        OpenAPIOperation(
            method: .get, path: Routes.mediaPlaylist, id: "mediaPlaylist", summary: "HLS playlist of a track",
            details: "The durations are exact: each is that of whole MPEG frames.", tag: "HLS",
            parameters: [
                .trackID,
                .query(
                    "form", "An address for each segment, or ranges of the original file.",
                    .oneOf(["segments", "byteranges"], standard: "segments")),
                quality,
            ] + options, answer: "The playlist (RFC 8216).", contents: playlist, hasEntityTag: true,
            errors: errors + optionErrors + qualityErrors + [
                OpenAPIError(
                    status: .unprocessableContent, code: "not_contiguous",
                    meaning: "Junk lies inside segments, so that no range of the file is one."),
                OpenAPIError(
                    status: .unprocessableContent, code: "not_the_file",
                    meaning: "Ranges of the original file can be neither normalised nor faded."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.masterPlaylist, id: "masterPlaylist",
            summary: "HLS master playlist of a track",
            details: "Its session data has loudness, peaks, tempo, cue points and gapless trimming.",
            tag: "HLS", parameters: [.trackID] + options, answer: "The playlist (RFC 8216).",
            contents: playlist,
            hasEntityTag: true, errors: errors + optionErrors),
        OpenAPIOperation(
            method: .get, path: Routes.segment, id: "segment", summary: "A segment of a track",
            details: "An ID3 timestamp (RFC 8216, section 3.4) and whole frames of the original file.",
            tag: "HLS",
            parameters: [
                .trackID,
                .path("index", "Number of the segment, from 0.", .integer(maximum: 999_999, example: 0)),
                .query(
                    "v", "Hash of the audio; where it is right, the segment may be kept for ever.", .text()),
                .query(
                    "frames", "Frames that its playlist is made of, the first and the one after the last.",
                    .text(matching: "^[0-9]{1,9}-[0-9]{1,9}$", example: "12-3400")),
                .query(
                    "gain", "Steps of 1.505 dB to change the level by.", .integer(minimum: -255, maximum: 255)
                ),
                .query("fade", "How many of the last frames fade out.", .integer(maximum: 9_999_999)),
                .query(
                    "start", "Time at which the track begins in its playlist, in 90 kHz units.",
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
            summary: "Where a track's segments lie in its file",
            details: """
                For players that fetch ranges of the original file and decode themselves: with the stated pre-roll a segment \
                decodes to the same samples as within the whole file. Times and samples are on the untrimmed timeline. \
                `normalize` tells a gain, `fade` a number of frames, for the player to apply, since the file does not have them.
                """, tag: "HLS", parameters: [.trackID] + options, answer: "The segments.",
            contents: [.json(segmentIndexSchema)], hasEntityTag: true, errors: errors + optionErrors),
    ]

    private static let segmentIndexSchema = JSONSchema.object([
        .always("track_id", .integer("Number of the track.", minimum: 1)),
        .always("audio_hash", .audioHash),
        .always("file_size_bytes", .integer("Size of the original file.")),
        .always("sample_rate_hz", .integer("Sample rate in Hz.", minimum: 8000, maximum: 48_000)),
        .always("channels", .integer("Channels.", minimum: 1, maximum: 2)),
        .always("samples_per_frame", .integer("Samples per channel in a frame.", minimum: 384)),
        .always("frame_count", .integer("MPEG audio frames.")),
        .always("encoder_delay_samples", .integer("Samples that the encoder put first.")),
        .always("encoder_padding_samples", .integer("Samples that the encoder put last.")),
        .always("decoded_sample_count", .integer("Samples per channel before trimming.")),
        .always("sample_count", .integer("Samples per channel as a gapless player plays them.")),
        .maybe(
            "gain_db", .number("What a player is to change the level by for the loudness asked for, in dB.")),
        .maybe(
            "fade_frame_count",
            .integer("How many of the last frames a player is to fade out for the fade asked for.")),
        .always("segments", .array(of: segmentSchema, "All segments in order.")),
    ])

    private static let segmentSchema = JSONSchema.object([
        .always("index", .integer("Number, from 0.")),
        .always("byte_offset", .integer("Offset of its first frame in the file, in bytes.")),
        .always("byte_length", .integer("Bytes from there to the end of its last frame.", minimum: 1)),
        .always("first_frame", .integer("Number of its first frame.")),
        .always("frame_count", .integer("Frames.", minimum: 1)),
        .always("start_sample", .integer("First sample.")),
        .always("start_seconds", .seconds("Exact start")),
        .always("duration_seconds", .seconds("Exact length")),
        .always("sample_count", .integer("Samples per channel.", minimum: 1)),
        .always(
            "preroll_frames",
            .integer("Frames before it to feed to a decoder first, whose output is to be dropped.")),
        .always("preroll_byte_offset", .integer("Offset of the first of those frames, in bytes.")),
    ])
}
