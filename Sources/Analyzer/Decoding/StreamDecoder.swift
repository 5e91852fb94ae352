internal import MP3Decoder
internal import MPEGAudio

/// Decodes a scanned stream from its first to its last frame, on its gapless timeline.
///
/// Exactly the indexed frames are decoded, so junk between them is never taken for sound, and every frame fills its
/// place: one that cannot be decoded becomes silence. Sections of another sampling rate are brought to the principal
/// one.
struct StreamDecoder {
    /// Frames by which libmpg123 may lag behind what it was fed: it looks at the header after a frame before it
    /// trusts the first.
    private static let permittedLag = 2
    /// Bytes after which memory of the mapped file is given back.
    private static let releaseInterval = 1 << 22

    /// Frames after which a cancellation is noticed.
    private static let cancellationInterval = 256

    let stream: MPEGAudioStream

    /// Frames that could not be decoded.
    private(set) var lostFrames = 0

    init(stream: MPEGAudioStream) { self.stream = stream }

    /// Decodes the stream.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - passed: told now and then of an offset that will not be read again.
    ///   - isCancelled: asked now and then; true ends the decoding.
    ///   - body: receives the blocks in order.
    mutating func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) {
        let timeline = stream.timeline
        let assembler = PCMAssembler(
            channelCount: stream.format.channelCount, headTrim: timeline.headTrim,
            sampleCount: timeline.sampleCount, body: body)
        var released = 0
        for section in stream.index.sections {
            let channels = section.format.channelCount
            let decoder: MPEGDecoder
            let resampler: Resampler?
            do throws(DecoderError) {
                decoder = try MPEGDecoder()
                resampler =
                    section.format.sampleRate == timeline.sampleRate
                    ? nil
                    : try Resampler(
                        from: section.format.sampleRate, to: timeline.sampleRate, channels: channels)
            } catch {
                throw AnalyzerError(error)
            }
            let output = SectionOutput(
                assembler: assembler, resampler: resampler, channels: channels,
                samplesPerFrame: section.format.samplesPerFrame)
            for frame in section.frames {
                let range = stream.index[frame].range
                do throws(DecoderError) {
                    try decoder.feed(bytes.extracting(range))
                    while case .decoded = try decoder.decodeFrame({ samples, channels, _ in
                        output.take(samples, channels: channels)
                    }) {}
                } catch {
                    throw AnalyzerError(error)
                }
                let fed = frame - section.frames.lowerBound + 1
                if fed - output.frames > Self.permittedLag { output.takeSilentFrame() }
                if frame % Self.cancellationInterval == 0, isCancelled() {
                    throw AnalyzerError(.cancelled, "the analysis was cancelled")
                }
                if range.upperBound - released > Self.releaseInterval {
                    released = range.lowerBound
                    passed(released)
                }
            }
            while output.frames < section.frames.count { output.takeSilentFrame() }
            lostFrames += output.lost
        }
        assembler.finish()
    }
}

/// What becomes of the decoded frames of one section.
private final class SectionOutput {
    private let assembler: PCMAssembler
    private let resampler: Resampler?
    private let channels: Int
    private let samplesPerFrame: Int
    /// Frames passed on, lost ones included.
    private(set) var frames = 0
    /// Frames replaced by silence.
    private(set) var lost = 0
    private let silence: [Float]

    init(assembler: PCMAssembler, resampler: Resampler?, channels: Int, samplesPerFrame: Int) {
        self.assembler = assembler
        self.resampler = resampler
        self.channels = channels
        self.samplesPerFrame = samplesPerFrame
        silence = [Float](repeating: 0, count: samplesPerFrame * channels)
    }

    func take(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
        frames += 1
        guard let resampler else {
            assembler.append(samples, channels: channels)
            return
        }
        guard channels == self.channels else { return }
        resampler.consume(samples) { assembler.append($0, channels: channels) }
    }

    func takeSilentFrame() {
        lost += 1
        silence.withUnsafeBufferPointer { take($0, channels: channels) }
    }
}
