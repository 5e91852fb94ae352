internal import MPEGAudio
public import MusicShared

/// The stream of a track as stored: format, exact duration, gapless trimming and the frame index.
public struct StreamDescription: Sendable, Equatable {
    /// Format of the file.
    public var format: AudioFormat
    /// "1", "2" or "2.5"; nil for other formats than MP3.
    public var mpegVersion: String?
    /// Bits per sample; nil for MP3, which has none.
    public var bitDepth: Int?
    /// Sample rate in Hz of the principal section (the longest).
    public var sampleRateHz: Int
    /// Number of channels: 1 or 2 in MP3, up to 8 in FLAC and Ogg.
    public var channels: Int
    /// "constant", "average", "variable", "free" or "lossless".
    public var bitRateMode: String
    /// Average bit rate of the audio frames in bits per second.
    public var averageBitRate: Int
    /// Number of audio frames, without Xing/Info frames.
    public var frameCount: Int
    /// Samples per channel in a frame: 1152 (MPEG-1), 576 (MPEG-2 and 2.5), the size of the first block (FLAC), the usual
    /// duration of a packet (Ogg), or 1 (PCM).
    public var samplesPerFrame: Int
    /// Encoder delay in samples from the LAME tag; 0 without one. In Ogg, the samples that are dropped at the start of links.
    public var encoderDelaySamples: Int
    /// Encoder padding in samples from the LAME tag; 0 without one. In Ogg, the samples that are dropped at the end of links.
    public var encoderPaddingSamples: Int
    /// Samples per channel from a plain decoder: all frames, nothing trimmed.
    public var decodedSampleCount: Int
    /// Samples per channel from a gapless decoder: delay and padding trimmed.
    public var sampleCount: Int
    /// Exact duration in seconds of the gapless output.
    public var durationSeconds: Double
    /// Samples that a gapless decoder drops at the start: the encoder delay; of MP3, plus the decoder delay of 529, if a LAME tag
    /// states them.
    public var headTrimSamples: Int {
        guard format == .mp3 else { return encoderDelaySamples }
        return min(encoderDelaySamples + GaplessTimeline.decoderDelay, decodedSampleCount - sampleCount)
    }
    /// The serialised `FrameIndex` (MP3), `FLACFrameIndex`, `OggPacketIndex` or, in WAV and AIFF, the size of a frame: enough to
    /// cut the file at any frame. Offsets are relative to the payload's first byte, since files with different tags share this
    /// description; `FrameIndex.moved(by:)` converts them to file offsets.
    public var frameIndex: [UInt8]
    /// Bytes between the first and the last frame that belong to no frame or tag.
    public var skippedBytes: Int
    /// Number of times frame sync was lost and found again.
    public var resyncCount: Int
    /// Number of damaged frames, which were measured as silence; nil in analyses before version 4, which did not count them.
    public var damagedFrameCount: Int?
    /// Irregularities of the file in readable form ("truncated last frame"); empty for a sound one.
    public var remarks: [String]

    /// Memberwise initializer.
    public init(
        format: AudioFormat = .mp3, mpegVersion: String?, bitDepth: Int? = nil, sampleRateHz: Int,
        channels: Int, bitRateMode: String, averageBitRate: Int,
        frameCount: Int, samplesPerFrame: Int, encoderDelaySamples: Int, encoderPaddingSamples: Int,
        decodedSampleCount: Int, sampleCount: Int, durationSeconds: Double, frameIndex: [UInt8],
        skippedBytes: Int, resyncCount: Int, damagedFrameCount: Int? = nil, remarks: [String]
    ) {
        self.format = format
        self.mpegVersion = mpegVersion
        self.bitDepth = bitDepth
        self.sampleRateHz = sampleRateHz
        self.channels = channels
        self.bitRateMode = bitRateMode
        self.averageBitRate = averageBitRate
        self.frameCount = frameCount
        self.samplesPerFrame = samplesPerFrame
        self.encoderDelaySamples = encoderDelaySamples
        self.encoderPaddingSamples = encoderPaddingSamples
        self.decodedSampleCount = decodedSampleCount
        self.sampleCount = sampleCount
        self.durationSeconds = durationSeconds
        self.frameIndex = frameIndex
        self.skippedBytes = skippedBytes
        self.resyncCount = resyncCount
        self.damagedFrameCount = damagedFrameCount
        self.remarks = remarks
    }
}
