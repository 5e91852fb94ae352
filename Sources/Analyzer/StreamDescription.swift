internal import MPEGAudio

/// The MPEG stream of a track as stored: format, exact length, gapless trimming and the frame index.
public struct StreamDescription: Sendable, Equatable {
    /// "1", "2" or "2.5".
    public var mpegVersion: String
    /// Sample rate in Hz of the principal section (the longest).
    public var sampleRateHz: Int
    /// Channels: 1 or 2.
    public var channels: Int
    /// "constant", "average", "variable" or "free".
    public var bitRateMode: String
    /// Mean bit rate in bits per second of the audio frames.
    public var averageBitRate: Int
    /// Audio frames, without Xing/Info frames.
    public var frameCount: Int
    /// Samples per channel in a frame: 1152 (MPEG-1) or 576 (MPEG-2 and 2.5).
    public var samplesPerFrame: Int
    /// Samples the encoder put before the music, as its LAME tag says; 0 without one.
    public var encoderDelaySamples: Int
    /// Samples the encoder put after the music, as its LAME tag says; 0 without one.
    public var encoderPaddingSamples: Int
    /// Samples per channel a plain decoder plays: every frame, nothing trimmed.
    public var decodedSampleCount: Int
    /// Samples per channel a gapless decoder plays: delay and padding trimmed.
    public var sampleCount: Int
    /// Exact length in seconds of what a gapless decoder plays.
    public var durationSeconds: Double
    /// Samples that a gapless decoder drops first: the encoder's delay and the 529 by which a decoder lags, where a LAME tag
    /// tells of them.
    public var headTrimSamples: Int {
        min(encoderDelaySamples + GaplessTimeline.decoderDelay, decodedSampleCount - sampleCount)
    }
    /// `FrameIndex` in its stored form: enough to cut the file at any frame. Offsets count from the payload's first byte,
    /// since files with other tags share this description; `FrameIndex.moved(by:)` makes it a file's own.
    public var frameIndex: [UInt8]
    /// Bytes between the first and the last frame that belong to no frame.
    public var skippedBytes: Int
    /// How often the frame chain was lost and found again.
    public var resyncCount: Int
    /// What is odd about the file, in words for a person ("truncated last frame"); empty for a sound one.
    public var remarks: [String]

    /// Puts the parts together.
    public init(
        mpegVersion: String, sampleRateHz: Int, channels: Int, bitRateMode: String, averageBitRate: Int,
        frameCount: Int, samplesPerFrame: Int, encoderDelaySamples: Int, encoderPaddingSamples: Int,
        decodedSampleCount: Int, sampleCount: Int, durationSeconds: Double, frameIndex: [UInt8],
        skippedBytes: Int, resyncCount: Int, remarks: [String]
    ) {
        self.mpegVersion = mpegVersion
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
        self.remarks = remarks
    }
}
