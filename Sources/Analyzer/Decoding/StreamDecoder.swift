internal import MP3Decoder
internal import MPEGAudio

/// Decodes a scanned stream from its first to its last frame, on its gapless timeline.
///
/// Only the indexed frames are decoded, so that junk between them is never treated as sound and every frame keeps its position.
/// Sections with a different sample rate are resampled to the principal one.
///
/// Damaged frames are replaced with silence into which the preceding frame decays, as in a decoder's error concealment, and so
/// are not measured: frames that fail ``FrameCheck``, that cannot be decoded, or whose decoded peak is implausible for the rest
/// of the stream (see ``PeakLimit``).
struct StreamDecoder {
    /// Interval in bytes at which memory of the mapped file is released.
    private static let releaseInterval = 1 << 22

    /// Interval in frames at which cancellation is checked.
    private static let cancellationInterval = 256

    let stream: MPEGAudioStream

    /// Number of frames replaced with silence because they are damaged.
    private(set) var damagedFrames = 0

    init(stream: MPEGAudioStream) { self.stream = stream }

    /// Decodes the stream.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: called periodically with an offset below which nothing will be read again.
    ///   - isCancelled: called periodically; true ends the decoding.
    ///   - body: receives the blocks in order.
    mutating func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) {
        let timeline = stream.timeline
        let assembler = PCMAssembler(
            channelCount: stream.format.channelCount, headTrim: timeline.headTrim,
            sampleCount: timeline.sampleCount, body: body)
        let check = FrameCheck(of: stream, in: bytes)
        let limit = PeakLimit()
        var released = 0
        for section in stream.index.sections {
            let decoder: SectionDecoder
            do throws(DecoderError) {
                let resampler =
                    section.format.sampleRate == timeline.sampleRate
                    ? nil
                    : try Resampler(
                        from: section.format.sampleRate, to: timeline.sampleRate,
                        channels: section.format.channelCount)
                let output = SectionOutput(
                    assembler: assembler, resampler: resampler, channels: section.format.channelCount,
                    samplesPerFrame: section.format.samplesPerFrame)
                decoder = try SectionDecoder(section, of: stream, check: check, limit: limit, output: output)
            } catch {
                throw AnalyzerError(error)
            }
            for frame in section.frames {
                do throws(DecoderError) {
                    try decoder.decode(frame, bytes, isCancelled: isCancelled)
                } catch {
                    throw AnalyzerError(error)
                }
                if frame % Self.cancellationInterval == 0, isCancelled() {
                    throw AnalyzerError(.cancelled, "the analysis was cancelled")
                }
                let range = stream.index[frame].range
                if range.upperBound - released > Self.releaseInterval {
                    released = range.lowerBound
                    passed(released)
                }
            }
            decoder.finish()
            damagedFrames += decoder.damagedFrames
        }
        assembler.finish()
    }
}
