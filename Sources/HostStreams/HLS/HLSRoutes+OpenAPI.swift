package import APIDescription
internal import HTTPServer
internal import MusicShared

extension HLSRoutes {
    package static let tag = "HLS"

    private static let errors = [APIError.noSuchAudio, .cannotSegment] + APIError.ofFile
    private static let qualityErrors = [APIError.noLowQuality, .notNormalised]
    private static let optionErrors = [APIError.notMeasured, .gainOutOfRange]
    private static let options: [any OperationParameter] = [Query.audioHash] + StreamOptions.parameters

    package static let operations = [
        operation(
            .get, Routes.mediaPlaylist, "mediaPlaylist", "Get the HLS playlist of a track",
            details: """
                Durations are exact: each segment consists of whole frames of the original file, in packed audio for MP3 and in \
                fragmented MP4 for FLAC, AAC, ALAC and Opus; Vorbis, WAV and AIFF are converted to MP3. The initialization segment of a \
                whole track states the encoder's delay, which players drop.
                """,
            access: .keyOrToken,
            parameters: options + [TrackPlaylist.Form.parameter, StreamQuality.parameter],
            answer: .content(.text(HLSManifestGenerator.contentType), "The playlist (RFC 8216).").tagged,
            errors: errors + optionErrors + qualityErrors + [.notContiguous, .notTheFile]),
        operation(
            .get, Routes.masterPlaylist, "masterPlaylist", "Get the HLS master playlist of a track",
            details: """
                Its variants are the original and, where they exist, the qualities `high` and `low`. Its session data contains \
                loudness, peaks, tempo, cue points and gapless trimming.
                """,
            access: .keyOrToken, parameters: options,
            answer: .content(.text(HLSManifestGenerator.contentType), "The playlist (RFC 8216).").tagged,
            errors: errors + optionErrors),
        operation(
            .get, Routes.segment, "segment", "Get an MP3 segment of a track",
            details: """
                An ID3 timestamp (RFC 8216, section 3.4) and whole frames: of the original file if that is MP3, otherwise of the \
                quality `high` or `low`. If the URL contains the audio hash, the segment never changes and may be cached forever.
                """, access: .keyOrToken,
            parameters: [
                OpenAPIParameter.path(
                    "index", "Zero-based index of the segment.", .integer(maximum: 999_999, example: 0)),
                Query.audioHash, StreamCut.framesParameter, StreamCut.gainParameter,
                StreamCut.fadeParameter, SegmentAddress.startParameter, StreamQuality.parameter,
            ], answer: .content(.bytes("audio/mpeg"), "The segment.").tagged.ranged,
            errors: errors + [.noSuchSegment] + qualityErrors),
        operation(
            .get, Routes.fragment, "fragment", "Get a segment in fragmented MP4",
            details: """
                A fragment of an MP4 file with whole frames of the original file, byte for byte. If the URL contains the audio \
                hash, the segment never changes and may be cached forever.
                """, access: .keyOrToken,
            parameters: [
                OpenAPIParameter.path(
                    "index", "Zero-based index of the segment.", .integer(maximum: 999_999, example: 0)),
                Query.audioHash, StreamCut.framesParameter, StreamCut.gainParameter,
                StreamCut.fadeParameter, SegmentAddress.startParameter,
            ], answer: .content(.bytes("audio/mp4"), "The segment.").tagged.ranged,
            errors: errors + [.noSuchSegment, .notNormalised]),
        operation(
            .get, Routes.initializationSegment, "initializationSegment",
            "Get the initialization segment of a track",
            details: "The start of the MP4 file that its segments continue (RFC 8216, section 3.3).",
            access: .keyOrToken,
            parameters: [
                Query.audioHash, StreamCut.framesParameter, StreamCut.gainParameter,
                StreamCut.fadeParameter, SegmentAddress.startParameter,
            ],
            answer: .content(.bytes("audio/mp4"), "The initialization segment.").tagged.ranged,
            errors: errors + [.noSuchSegment]),
        operation(
            .get, Routes.fragmentedFile, "fragmentedFile", "Get a track as a fragmented MP4 file",
            details: """
                The original frames of a FLAC, AAC, ALAC or Opus track, byte for byte, in fragments of one segment and of the frames \
                that the next segment's decoder needs.
                """, access: .keyOrToken, parameters: [Query.audioHash],
            answer: .content(.bytes("audio/mp4"), "The file.").tagged.ranged,
            errors: errors + [.noSuchSegment]),
        operation(
            .get, Routes.convertedFile, "convertedFile", "Get the MP3 file that a track is converted to",
            details: """
                Frames alone, without tags. The first request waits until the whole track is encoded; the result is cached.
                """, access: .keyOrToken, parameters: [Query.audioHash, convertedQuality],
            answer: .content(.bytes("audio/mpeg"), "The file.").tagged.ranged,
            errors: errors + qualityErrors),
        operation(
            .get, Routes.segmentIndex, "segmentIndex", "Get the positions of a track's segments in its file",
            details: """
                For players that fetch ranges of a file and decode them themselves: with the stated pre-roll, and after `stream_head`, \
                a segment decodes to the same samples as within the whole file. Times and samples are on the untrimmed \
                timeline. The gain for `normalize` and the frame count for `fade` are returned for the player to apply, \
                since the file is unaltered.
                """, access: .keyOrToken, parameters: options + [StreamQuality.parameter],
            answer: .json(segmentIndexSchema, "The segments.").tagged,
            errors: errors + optionErrors + qualityErrors),
    ]

    /// The qualities of converted files.
    enum ConvertedQuality: String, CaseIterable {
        case high, low
    }

    static let convertedQuality = QueryParameter<ConvertedQuality>(
        "quality", "MP3 with 192 kbit/s, or with 64 kbit/s (mono 96 and 32).", default: .high)

    private static let segmentIndexSchema: JSONSchema = [
        "track_id": .integer("Track ID.", minimum: 1),
        "audio_hash": .audioHash,
        "format": .oneOf(
            AudioFormat.accepted.filter { $0 == .mp3 || FragmentedFrames.formats.contains($0) }
                .map(\.rawValue), "Format of the frames."),
        "file_size_bytes": .integer("Size of the file that the positions are in, in bytes."),
        "file_url": .text(
            "Path of that file: `/tracks/:id/audio.mp4` for AAC, ALAC and Opus, `/tracks/:id/audio.mp3?quality=high` for the quality `high`. Omitted for the original file, and for the quality `low`, whose positions are in no file."
        ).optional,
        "codec": .text("Codec of the frames as media types name it, such as `mp4a.40.2`. Omitted for MP3.")
            .optional,
        "sample_rate_hz": .integer("Sample rate in Hz.", minimum: 1, maximum: 1_048_575),
        "channels": .integer("Number of channels.", minimum: 1, maximum: 8),
        "samples_per_frame": .integer("Samples per channel in a usual frame.", minimum: 1),
        "frame_count": .integer("Number of frames."),
        "encoder_delay_samples": .integer("Samples that the encoder added at the start."),
        "encoder_padding_samples": .integer("Samples that the encoder added at the end."),
        "decoded_sample_count": .integer("Samples per channel before trimming."),
        "sample_count": .integer("Samples per channel in gapless playback."),
        "gain_db": .number("Gain that the player must apply for the requested loudness, in dB.").optional,
        "fade_frame_count": .integer("Number of frames at the end that the player must fade out.").optional,
        "is_converted": .flag(
            "True for the qualities `high` and `low`: the segments are MP3, and byte positions are not in the original file."
        ).optional,
        "stream_head": .text(
            "What a decoder needs before any segment, in Base64: FLAC's marker and STREAMINFO, or the initialization segment."
        ).optional,
        "converted": .object(
            convertedSchema,
            "How the MP3 stream of the qualities `high` and `low` is related to the original."
        ).optional,
        "segments": .array(of: segmentSchema, "All segments in order."),
    ]

    private static let convertedSchema: JSONSchema = [
        "sample_rate_hz": .integer(
            "Sample rate of the MP3 stream in Hz."),
        "samples_per_frame": .integer("Samples per channel in one of its frames."),
        "frame_count": .integer("Number of its frames."),
        "lead_samples": .integer("Its samples before the first sample of the original."),
        "segment_frames": .integer("Number of frames in a segment of it."),
    ]

    private static let segmentSchema: JSONSchema = [
        "index": .integer("Zero-based index."),
        "byte_offset": .integer("Byte offset of its first frame in the file."),
        "byte_length": .integer("Number of bytes from there to the end of its last frame.", minimum: 1),
        "first_frame": .integer("Index of its first frame."),
        "frame_count": .integer("Number of frames.", minimum: 1),
        "start_sample": .integer("Index of its first sample."),
        "start_seconds": .seconds("Exact start time"),
        "duration_seconds": .seconds("Exact duration"),
        "sample_count": .integer("Samples per channel.", minimum: 1),
        "preroll_frames": .integer("Number of preceding frames to decode first; discard their output."),
        "preroll_byte_offset": .integer("Byte offset of the first of those frames."),
    ]
}
