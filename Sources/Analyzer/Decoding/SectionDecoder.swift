internal import MP3Decoder
internal import MPEGAudio

/// Decodes the frames of one section, replacing damaged ones with silence.
///
/// An invalid frame is only recognised by its decoded samples, when it is already part of the decoder's state. A new decoder
/// then decodes the preceding frames again, with a silent frame in place of the invalid one, so that nothing of it leaks into
/// the following frame.
final class SectionDecoder {
    /// Maximum number of decoder restarts per section. Beyond that, invalid frames are replaced with plain silence and may
    /// still affect the frames after them.
    private static let maximumRestarts = 1_000

    private let section: StreamSection
    private let index: FrameIndex
    private let stream: MPEGAudioStream
    private let check: FrameCheck
    private let limit: PeakLimit
    private let output: SectionOutput
    private var decoder: AlignedDecoder
    /// Number of results to drop: those fed to a new decoder before the frame in question.
    private var toDrop = 0
    private var restarts = 0
    private var damaged: Set<Int> = []
    private var lost = 0

    init(
        _ section: StreamSection, of stream: MPEGAudioStream, check: FrameCheck, limit: PeakLimit,
        output: SectionOutput
    ) throws(DecoderError) {
        self.section = section
        self.stream = stream
        index = stream.index
        self.check = check
        self.limit = limit
        self.output = output
        decoder = try AlignedDecoder()
    }

    /// Number of frames replaced with silence because they are damaged.
    var damagedFrames: Int { damaged.count + lost }

    /// Decodes the next frame of the section.
    func decode(_ frame: Int, _ bytes: RawSpan, isCancelled: () -> Bool) throws(DecoderError) {
        let range = index[frame].range
        let implausible: Int?
        if damaged.contains(frame) || check.isDamaged(range, in: bytes) {
            damaged.insert(frame)
            let silenced = FrameCheck.silenced(bytes.extracting(range))
            implausible = try feed(silenced.span.bytes, bytes, isCancelled: isCancelled)
        } else {
            implausible = try feed(bytes.extracting(range), bytes, isCancelled: isCancelled)
        }
        if let implausible {
            restarts += 1
            try restart(before: implausible, upTo: frame, bytes, isCancelled: isCancelled)
        }
    }

    /// Ends the section: frames that the decoder has not delivered become silence.
    func finish() {
        decoder.finish { _ in takeLostFrame() }
    }

    /// The frame whose samples come next.
    private var next: Int { section.frames.lowerBound + output.frames }

    private func takeLostFrame() {
        if !damaged.contains(next) { lost += 1 }
        output.takeSilentFrame()
    }

    /// Feeds a frame and passes on what has been decoded.
    /// - Returns: a frame with implausible samples, from which the decoder must be restarted.
    private func feed(
        _ frame: RawSpan, _ bytes: RawSpan, isCancelled: () -> Bool
    ) throws(DecoderError) -> Int? {
        var implausible: Int?
        try decoder.decode(frame) { result in
            guard implausible == nil else { return }
            guard toDrop == 0 else {
                toDrop -= 1
                return
            }
            guard case .samples(let samples, let channels) = result else { return takeLostFrame() }
            guard isImplausible(samples, bytes, isCancelled: isCancelled) else {
                return output.take(samples, channels: channels)
            }
            if damaged.insert(next).inserted, restarts < Self.maximumRestarts {
                implausible = next
            } else {
                output.takeSilentFrame()
            }
        }
        return implausible
    }

    private func isImplausible(
        _ samples: UnsafeBufferPointer<Float>, _ bytes: RawSpan, isCancelled: () -> Bool
    ) -> Bool {
        limit.isExceeded(
            by: samples,
            overlapsNeighbour: { check.overlapsNeighbour(next, of: index, in: bytes) },
            usualPeak: { FramePeaks.usual(of: stream, bytes, check: check, isCancelled: isCancelled) })
    }

    /// Decodes again from a silenced frame to the last frame fed.
    private func restart(
        before frame: Int, upTo last: Int, _ bytes: RawSpan, isCancelled: () -> Bool
    ) throws(DecoderError) {
        let early = BitReservoir.frameEarlyEnough(toDecode: frame, index: index) - 2
        let first = max(section.frames.lowerBound, early)
        decoder = try AlignedDecoder()
        toDrop = frame - first
        for frame in first...last { try decode(frame, bytes, isCancelled: isCancelled) }
    }
}
