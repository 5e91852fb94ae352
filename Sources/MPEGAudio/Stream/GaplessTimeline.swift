/// How many samples a stream decodes to, and which of them the encoder added.
///
/// Two lengths, both in samples per channel at the principal section's rate:
/// - ``decodedSampleCount``: what a **plain decoder** plays, frames × samples per frame, with the silence that
///   encoder and decoder add at both ends. The Xing or Info frame is not counted.
/// - ``sampleCount``: what a **gapless decoder** plays: without the encoder's delay, without the 529 samples
///   that a layer III decoder lags behind, and without the encoder's padding. With LAME this is the number of samples
///   that the encoder was given.
///
/// Streams joined into one file have a LAME tag each. Every tag's frame is left out of the index; the head is trimmed by
/// the first stream's delay, the tail by the last stream's padding, and nothing is cut where they meet. A stream
/// without a LAME tag is not trimmed at that end. Where a stream was cut short, so that its last frames are missing by its
/// own tag's count, the padding went with them and only what is left of it is trimmed.
public struct GaplessTimeline: Sendable, Hashable {
    /// Samples by which a layer III decoder's output lags its input (one granule's overlap and the filter
    /// bank: 528 + 1), as LAME's and mpg123's gapless support define it.
    public static let decoderDelay = 529

    /// Samples per second that all counts here are given at: the principal section's.
    public let sampleRate: Int
    /// Silent samples that the first stream's encoder put first, by its LAME tag; 0 without one. At its own rate.
    public let encoderDelay: Int
    /// Samples that the last stream's encoder put last, by its LAME tag; 0 without one. At its own rate.
    public let encoderPadding: Int
    /// Samples that a plain decoder plays.
    public let decodedSampleCount: Int
    /// Samples to drop at the head: ``encoderDelay`` + 529 where there is a LAME tag, else 0. Never more than there are.
    public let headTrim: Int
    /// Samples to drop at the tail: ``encoderPadding`` − 529, at least 0, less what was cut off.
    public let tailTrim: Int
    /// Exact length of the trimmed stream (see ``StreamTime``).
    public let ticks: Int

    /// Samples that a gapless decoder plays: decoded − head − tail. Never negative.
    public var sampleCount: Int { decodedSampleCount - headTrim - tailTrim }

    /// Seconds that a gapless decoder plays.
    public var durationSeconds: Double { StreamTime.seconds(ticks) }

    /// Seconds that a plain decoder plays.
    public var decodedDurationSeconds: Double { Double(decodedSampleCount) / Double(sampleRate) }

    /// The timeline of `index`, trimmed by what the first and the last stream's tags say.
    ///
    /// - Parameters:
    ///   - encoderDelay: the first stream's delay in samples; nil without a LAME tag.
    ///   - encoderPadding: the last stream's padding in samples; nil without a LAME tag.
    ///   - missingTailFrames: frames that the last stream lost at its end.
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
            // Frames beyond a few hundred cannot matter: padding is at most 4,095 samples.
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
