/// The number of samples a stream decodes to, and which of them were added by the encoder.
///
/// There are two lengths, both in samples per channel at the principal section's rate:
/// - ``decodedSampleCount``: the output of a **plain decoder**, frames × samples per frame, including the silence that encoder
///   and decoder add at both ends. The Xing or Info frame is not counted.
/// - ``sampleCount``: the output of a **gapless decoder**: without the encoder delay, the 529 samples of decoder delay in Layer
///   III, and the encoder padding. With LAME this is the number of samples passed to the encoder.
///
/// Streams joined into one file each have a LAME tag. Every tag's frame is excluded from the index; the start is trimmed by the
/// first stream's delay, the end by the last stream's padding, and nothing is cut where they meet. A stream without a LAME tag
/// is not trimmed at that end. If a stream was truncated, so that its last frames are missing according to its own tag, the
/// padding is missing too and only the rest of it is trimmed.
public struct GaplessTimeline: Sendable, Hashable {
    /// Samples by which a Layer III decoder's output lags its input (one granule's overlap and the filter bank: 528 + 1), as
    /// defined by the gapless support of LAME and mpg123.
    public static let decoderDelay = 529

    /// Sample rate of all counts here, in Hz: the principal section's.
    public let sampleRate: Int
    /// Encoder delay of the first stream in samples at its own rate, from its LAME tag; 0 without one.
    public let encoderDelay: Int
    /// Encoder padding of the last stream in samples at its own rate, from its LAME tag; 0 without one.
    public let encoderPadding: Int
    /// Samples from a plain decoder.
    public let decodedSampleCount: Int
    /// Samples to drop at the start: ``encoderDelay`` + 529 with a LAME tag, otherwise 0; limited to the available samples.
    public let headTrim: Int
    /// Samples to drop at the end: ``encoderPadding`` − 529, at least 0, minus what is already missing.
    public let tailTrim: Int
    /// Exact duration of the trimmed stream (see ``StreamTime``).
    public let ticks: Int

    /// Samples from a gapless decoder: decoded − head − tail. Never negative.
    public var sampleCount: Int { decodedSampleCount - headTrim - tailTrim }

    /// Duration in seconds of the gapless output.
    public var durationSeconds: Double { StreamTime.seconds(ticks) }

    /// Duration in seconds of the plain output.
    public var decodedDurationSeconds: Double { Double(decodedSampleCount) / Double(sampleRate) }

    /// Creates the timeline of `index`, trimmed according to the tags of the first and the last stream.
    ///
    /// - Parameters:
    ///   - encoderDelay: the first stream's delay in samples; nil without a LAME tag.
    ///   - encoderPadding: the last stream's padding in samples; nil without a LAME tag.
    ///   - missingTailFrames: number of frames missing at the end of the last stream.
    public init(
        index: FrameIndex, encoderDelay: Int?, encoderPadding: Int?, missingTailFrames: Int = 0
    ) {
        let principal = index.principalSection?.format
        let rate = principal?.sampleRate ?? 44_100
        let total = index.totalTicks
        let first = index.sections.first?.format
        let last = index.sections.last?.format

        var headTicks = 0
        if let encoderDelay, let first {
            headTicks = min(total, (encoderDelay + Self.decoderDelay) * first.ticksPerSample)
        }
        var tailTicks = 0
        if let encoderPadding, let last {
            // More frames than a few hundred make no difference: padding is at most 4,095 samples.
            let lost = min(max(0, missingTailFrames), 4096) * last.samplesPerFrame
            let samples = max(0, encoderPadding - Self.decoderDelay - lost)
            tailTicks = min(total - headTicks, samples * last.ticksPerSample)
        }
        sampleRate = rate
        self.encoderDelay = encoderDelay ?? 0
        self.encoderPadding = encoderPadding ?? 0
        decodedSampleCount = StreamTime.samples(total, at: rate)
        headTrim = min(decodedSampleCount, StreamTime.samples(headTicks, at: rate))
        tailTrim = min(decodedSampleCount - headTrim, StreamTime.samples(tailTicks, at: rate))
        ticks = total - headTicks - tailTicks
    }
}
