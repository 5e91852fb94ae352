internal import Analyzer
internal import MPEGAudio
internal import MusicShared

/// The MP3 stream that a track of another format is converted to for clients that do not play it: its layout is known before
/// it is encoded, and the same in both qualities.
///
/// The first frame is silent: MP3 players drop the encoder's delay and 529 samples of their own at the start, which together
/// are one frame here (see ``GaplessTimeline``).
struct ConvertedStream {
    /// The encoder's delay in the reports to players.
    private static let encoderDelay = samplesPerFrame - GaplessTimeline.decoderDelay
    /// Samples per channel in a frame of MPEG-1 Layer III.
    static let samplesPerFrame = 1152

    /// Description of the MP3 stream in high quality.
    let stream: StreamDescription
    /// Its frames.
    let index: FrameIndex

    /// Plans the conversion of a stream.
    init(of original: StreamDescription) {
        let rate = Self.sampleRate(for: original.sampleRateHz)
        let channels = min(2, original.channels)
        let kilobits = StreamQuality.high.kilobits(channelCount: channels) ?? 0
        let seconds = Double(original.sampleCount) / Double(original.sampleRateHz)
        let count =
            rate == original.sampleRateHz
            ? original.sampleCount : Int((seconds * Double(rate)).rounded())
        let frames = 1 + (count + Self.samplesPerFrame - 1) / Self.samplesPerFrame
        let decoded = frames * Self.samplesPerFrame
        index = FrameIndex.constantBitRate(
            frameCount: frames, sampleRate: rate, channelCount: channels, kilobits: kilobits)
        stream = StreamDescription(
            format: .mp3, mpegVersion: "1", sampleRateHz: rate, channels: channels, bitRateMode: "constant",
            averageBitRate: kilobits * 1000, frameCount: frames, samplesPerFrame: Self.samplesPerFrame,
            encoderDelaySamples: Self.encoderDelay,
            encoderPaddingSamples: decoded - Self.samplesPerFrame - count + GaplessTimeline.decoderDelay,
            decodedSampleCount: decoded, sampleCount: count, durationSeconds: seconds, frameIndex: [],
            skippedBytes: 0, resyncCount: 0, remarks: [])
    }

    /// The rate of MPEG-1 that a rate is converted to: itself, or the one with a simpler ratio.
    static func sampleRate(for rate: Int) -> Int {
        guard ![32_000, 44_100, 48_000].contains(rate) else { return rate }
        return rate % 11_025 == 0 ? 44_100 : 48_000
    }
}
