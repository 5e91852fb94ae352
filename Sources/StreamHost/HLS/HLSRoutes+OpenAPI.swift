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
            ], answer: "The playlist (RFC 8216).", contents: playlist, hasEntityTag: true,
            errors: errors + [
                .badParameter,
                OpenAPIError(
                    status: .unprocessableContent, code: "not_contiguous",
                    meaning: "Junk lies inside segments, so that no range of the file is one."),
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.masterPlaylist, id: "masterPlaylist",
            summary: "HLS master playlist of a track",
            details: "Its session data has loudness, peaks, tempo, cue points and gapless trimming.",
            tag: "HLS", parameters: [.trackID], answer: "The playlist (RFC 8216).", contents: playlist,
            hasEntityTag: true, errors: errors),
        OpenAPIOperation(
            method: .get, path: Routes.segment, id: "segment", summary: "A segment of a track",
            details: "An ID3 timestamp (RFC 8216, section 3.4) and whole frames of the original file.",
            tag: "HLS",
            parameters: [
                .trackID,
                .path("index", "Number of the segment, from 0.", .integer(maximum: 999_999, example: 0)),
                .query(
                    "v", "Hash of the audio; where it is right, the segment may be kept for ever.", .text()),
            ], answer: "The segment.", contents: [.bytes("audio/mpeg")], hasEntityTag: true,
            allowsRanges: true,
            errors: errors + [
                OpenAPIError(
                    status: .notFound, code: "no_such_segment", meaning: "The track has fewer segments.")
            ]),
        OpenAPIOperation(
            method: .get, path: Routes.segmentIndex, id: "segmentIndex",
            summary: "Where a track's segments lie in its file",
            details: """
                For players that fetch ranges of the original file and decode themselves: with the stated pre-roll a segment \
                decodes to the same samples as within the whole file. Times and samples are on the untrimmed timeline.
                """, tag: "HLS", parameters: [.trackID], answer: "The segments.",
            contents: [.json(segmentIndexSchema)], hasEntityTag: true, errors: errors),
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
