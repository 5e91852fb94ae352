/// Where a track's segments lie in its original file: for players that fetch byte ranges and decode themselves.
///
/// Times and samples are on the untrimmed timeline: a gapless player drops `encoder_delay_samples + 529` samples at the
/// head and `encoder_padding_samples − 529` (at least 0) at the tail, where the encoder stated them.
public struct SegmentIndex: Codable, Sendable, Equatable {
    /// One segment.
    public struct Segment: Codable, Sendable, Equatable {
        /// Number, from 0.
        public var index: Int
        /// Offset of its first frame in the file.
        public var byteOffset: Int
        /// Bytes from there to the end of its last frame.
        public var byteLength: Int
        /// Number of its first frame.
        public var firstFrame: Int
        /// Frames.
        public var frameCount: Int
        /// First sample.
        public var startSample: Int
        /// Exact start in seconds.
        public var startSeconds: Double
        /// Exact length in seconds.
        public var durationSeconds: Double
        /// Samples per channel.
        public var sampleCount: Int
        /// Frames before it that a decoder must be fed first, and whose output is to be dropped, so that the segment
        /// comes out bit for bit as in a decode of the whole file (ISO/IEC 11172-3, bit reservoir).
        public var prerollFrames: Int
        /// Offset of the first of those frames.
        public var prerollByteOffset: Int

        /// Puts the parts together.
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

    /// The track.
    public var trackID: Int
    /// Identity of the audio.
    public var audioHash: String
    /// Size of the original file.
    public var fileSizeBytes: Int
    /// Sample rate in Hz.
    public var sampleRateHz: Int
    /// Channels.
    public var channels: Int
    /// Samples per channel in a frame.
    public var samplesPerFrame: Int
    /// Audio frames.
    public var frameCount: Int
    /// Samples that the encoder put first.
    public var encoderDelaySamples: Int
    /// Samples that the encoder put last.
    public var encoderPaddingSamples: Int
    /// Samples per channel before trimming.
    public var decodedSampleCount: Int
    /// Samples per channel as a gapless player plays them.
    public var sampleCount: Int
    /// What a player is to change the level by, in dB, for the loudness that was asked for; nil for no change. The bytes of the
    /// original file do not have it.
    public var gainDB: Double?
    /// How many of the last frames a player is to fade out, by 60 dB and linear in decibels, for the fade that was asked for; nil for
    /// none.
    public var fadeFrameCount: Int?
    /// All segments in order.
    public var segments: [Segment]

    /// Puts the parts together.
    public init(
        trackID: Int, audioHash: String, fileSizeBytes: Int, sampleRateHz: Int, channels: Int,
        samplesPerFrame: Int, frameCount: Int, encoderDelaySamples: Int, encoderPaddingSamples: Int,
        decodedSampleCount: Int, sampleCount: Int, segments: [Segment]
    ) {
        self.trackID = trackID
        self.audioHash = audioHash
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
        case segments
    }
}
