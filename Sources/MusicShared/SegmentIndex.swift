/// Byte ranges of a track's segments in the original file, for players that fetch byte ranges and decode themselves.
///
/// Times and samples are on the untrimmed timeline: of MP3, a gapless player drops `encoder_delay_samples + 529` samples at the start
/// and `encoder_padding_samples − 529` (at least 0) at the end, if the encoder stated them; of other formats, it drops both as stated.
public struct SegmentIndex: Codable, Sendable, Equatable {
    /// One segment.
    public struct Segment: Codable, Sendable, Equatable {
        /// Zero-based index.
        public var index: Int
        /// Offset of its first frame in the file.
        public var byteOffset: Int
        /// Length in bytes up to the end of its last frame.
        public var byteLength: Int
        /// Index of its first frame.
        public var firstFrame: Int
        /// Number of frames.
        public var frameCount: Int
        /// First sample.
        public var startSample: Int
        /// Exact start in seconds.
        public var startSeconds: Double
        /// Exact length in seconds.
        public var durationSeconds: Double
        /// Samples per channel.
        public var sampleCount: Int
        /// Number of preceding frames to decode first, discarding their output, so that the segment matches a decode of the
        /// whole file bit for bit (ISO/IEC 11172-3, bit reservoir).
        public var prerollFrames: Int
        /// Offset of the first of those frames.
        public var prerollByteOffset: Int

        /// Memberwise initializer.
        public init(
            index: Int, byteOffset: Int, byteLength: Int, firstFrame: Int, frameCount: Int, startSample: Int,
            startSeconds: Double, durationSeconds: Double, sampleCount: Int, prerollFrames: Int,
            prerollByteOffset: Int
        ) {
            self.index = index
            self.byteOffset = byteOffset
            self.byteLength = byteLength
            self.firstFrame = firstFrame
            self.frameCount = frameCount
            self.startSample = startSample
            self.startSeconds = startSeconds
            self.durationSeconds = durationSeconds
            self.sampleCount = sampleCount
            self.prerollFrames = prerollFrames
            self.prerollByteOffset = prerollByteOffset
        }

        private enum CodingKeys: String, CodingKey {
            case index
            case byteOffset = "byte_offset"
            case byteLength = "byte_length"
            case firstFrame = "first_frame"
            case frameCount = "frame_count"
            case startSample = "start_sample"
            case startSeconds = "start_seconds"
            case durationSeconds = "duration_seconds"
            case sampleCount = "sample_count"
            case prerollFrames = "preroll_frames"
            case prerollByteOffset = "preroll_byte_offset"
        }
    }

    /// How the MP3 stream that a track of another format is converted to is related to the original.
    public struct Converted: Codable, Sendable, Equatable {
        /// Sample rate of the MP3 stream in Hz.
        public var sampleRateHz: Int
        /// Samples per channel in one of its frames.
        public var samplesPerFrame: Int
        /// Number of its frames.
        public var frameCount: Int
        /// Its samples before the first sample of the original.
        public var leadSamples: Int
        /// Number of frames in a segment of it.
        public var segmentFrames: Int

        /// Memberwise initializer.
        public init(
            sampleRateHz: Int, samplesPerFrame: Int, frameCount: Int, leadSamples: Int, segmentFrames: Int
        ) {
            self.sampleRateHz = sampleRateHz
            self.samplesPerFrame = samplesPerFrame
            self.frameCount = frameCount
            self.leadSamples = leadSamples
            self.segmentFrames = segmentFrames
        }

        private enum CodingKeys: String, CodingKey {
            case sampleRateHz = "sample_rate_hz"
            case samplesPerFrame = "samples_per_frame"
            case frameCount = "frame_count"
            case leadSamples = "lead_samples"
            case segmentFrames = "segment_frames"
        }
    }

    /// Track ID.
    public var trackID: Int
    /// Hash of the audio.
    public var audioHash: String
    /// Format of the frames.
    public var format: AudioFormat
    /// Size of the file that the positions are in.
    public var fileSizeBytes: Int
    /// Sample rate in Hz.
    public var sampleRateHz: Int
    /// Number of channels.
    public var channels: Int
    /// Samples per channel in a frame.
    public var samplesPerFrame: Int
    /// Number of audio frames.
    public var frameCount: Int
    /// Encoder delay in samples.
    public var encoderDelaySamples: Int
    /// Encoder padding in samples.
    public var encoderPaddingSamples: Int
    /// Samples per channel before trimming.
    public var decodedSampleCount: Int
    /// Samples per channel after gapless trimming.
    public var sampleCount: Int
    /// Gain in dB that the player must apply for the requested loudness; nil if no change is needed. The bytes of the original
    /// file do not include it.
    public var gainDB: Double?
    /// Number of final frames that the player must fade out, by 60 dB and linearly in decibels, for the requested fade; nil
    /// without a fade.
    public var fadeFrameCount: Int?
    /// All segments in order.
    public var segments: [Segment]

    /// True if the segments are those of an MP3 stream that the file is converted to: the positions are not in the file. Nil for
    /// the original.
    public var isConverted: Bool?
    /// The bytes that a decoder needs before those of any segment, in Base64: the marker and the STREAMINFO block of a FLAC stream, or the
    /// initialization segment of fragmented MP4. Nil for MP3.
    public var streamHead: String?
    /// The codec of the frames as media types name it (RFC 6381); nil for MP3.
    public var codec: String?
    /// Path of the file that the positions are in; nil for the original file.
    public var fileURL: String?
    /// The MP3 stream that the track is converted to in the qualities `high` and `low`; nil for an MP3 file.
    public var converted: Converted?

    /// Creates an index without gain or fade.
    public init(
        trackID: Int, audioHash: String, format: AudioFormat, fileSizeBytes: Int, sampleRateHz: Int,
        channels: Int,
        samplesPerFrame: Int, frameCount: Int, encoderDelaySamples: Int, encoderPaddingSamples: Int,
        decodedSampleCount: Int, sampleCount: Int, segments: [Segment]
    ) {
        self.trackID = trackID
        self.audioHash = audioHash
        self.format = format
        self.fileSizeBytes = fileSizeBytes
        self.sampleRateHz = sampleRateHz
        self.channels = channels
        self.samplesPerFrame = samplesPerFrame
        self.frameCount = frameCount
        self.encoderDelaySamples = encoderDelaySamples
        self.encoderPaddingSamples = encoderPaddingSamples
        self.decodedSampleCount = decodedSampleCount
        self.sampleCount = sampleCount
        self.segments = segments
    }

    private enum CodingKeys: String, CodingKey {
        case trackID = "track_id"
        case audioHash = "audio_hash"
        case format
        case fileSizeBytes = "file_size_bytes"
        case sampleRateHz = "sample_rate_hz"
        case channels
        case samplesPerFrame = "samples_per_frame"
        case frameCount = "frame_count"
        case encoderDelaySamples = "encoder_delay_samples"
        case encoderPaddingSamples = "encoder_padding_samples"
        case decodedSampleCount = "decoded_sample_count"
        case sampleCount = "sample_count"
        case gainDB = "gain_db"
        case fadeFrameCount = "fade_frame_count"
        case isConverted = "is_converted"
        case streamHead = "stream_head"
        case codec
        case fileURL = "file_url"
        case converted
        case segments
    }
}
