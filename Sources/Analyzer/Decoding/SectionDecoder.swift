internal import MP3Decoder
internal import MPEGAudio

/// Decodes the frames of one section, replacing damaged ones with silence.
///
/// An invalid frame is only recognised by its decoded samples, when it is already part of the decoder's state. A new decoder
/// then decodes the preceding frames again, with a silent frame in place of the invalid one, so that nothing of it leaks into
/// the following frame.
final class SectionDecoder {
    /// Maximum number of frames by which libmpg123 lags behind its input: it checks the header after a frame before it accepts
    /// the first.
    private static let permittedLag = 2
    /// Maximum number of decoder restarts per section. Beyond that, invalid frames are replaced with plain silence and may
    /// still affect the frames after them.
    private static let maximumRestarts = 1_000

    private let section: StreamSection
    private let index: FrameIndex
    private let stream: MPEGAudioStream
    private let check: FrameCheck
    private let limit: PeakLimit
    private let output: SectionOutput
    private var decoder: MPEGDecoder
    /// Number of decoded frames to drop: those fed to a new decoder before the frame in question.
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
        decoder = try MPEGDecoder()
    }

    /// Number of frames replaced with silence because they are damaged.
    var damagedFrames: Int { damaged.count + lost }

    /// Decodes the next frame of the section.
    func decode(_ frame: Int, _ bytes: RawSpan, isCancelled: () -> Bool) throws(DecoderError) {
        try feed(frame, bytes, isCancelled: isCancelled)
        let fed = frame - section.frames.lowerBound + 1
        if fed - output.frames > Self.permittedLag { takeLostFrame() }
    }

    /// Ends the section: frames that the decoder has not delivered become silence.
    func finish() {
        while output.frames < section.frames.count { takeLostFrame() }
    }

    private func takeLostFrame() {
        if !damaged.contains(section.frames.lowerBound + output.frames) { lost += 1 }
        output.takeSilentFrame()
    }

    private func feed(_ frame: Int, _ bytes: RawSpan, isCancelled: () -> Bool) throws(DecoderError) {
        let range = index[frame].range
        if damaged.contains(frame) || check.isDamaged(range, in: bytes) {
            damaged.insert(frame)
            try decoder.feed(FrameCheck.silenced(bytes.extracting(range)).span.bytes)
        } else {
            try decoder.feed(bytes.extracting(range))
        }
        while true {
            var isImpossible = false
            let outcome = try decoder.decodeFrame { samples, channels, _ in
                if toDrop > 0 {
                    toDrop -= 1
                } else if limit.isExceeded(
                    by: samples,
                    overlapsNeighbour: {
                        check.overlapsNeighbour(
                            section.frames.lowerBound + output.frames, of: index, in: bytes)
                    },
                    usualPeak: {
                        FramePeaks.usual(of: stream, bytes, check: check, isCancelled: isCancelled)
                    })
                {
                    isImpossible = true
                } else {
                    output.take(samples, channels: channels)
                }
            }
            guard case .decoded = outcome else { return }
            guard isImpossible else { continue }
            let impossible = section.frames.lowerBound + output.frames
            if restarts < Self.maximumRestarts, damaged.insert(impossible).inserted {
                restarts += 1
                try restart(before: impossible, upTo: frame, bytes, isCancelled: isCancelled)
                return
            }
            damaged.insert(impossible)
            output.takeSilentFrame()
        }
    }

    /// Decodes again from a silenced frame to the last frame fed.
    private func restart(
        before frame: Int, upTo last: Int, _ bytes: RawSpan, isCancelled: () -> Bool
    ) throws(DecoderError) {
        let early = BitReservoir.frameEarlyEnough(toDecode: frame, index: index) - 2
        let first = max(section.frames.lowerBound, early)
        decoder = try MPEGDecoder()
        toDrop = frame - first
        for frame in first...last { try feed(frame, bytes, isCancelled: isCancelled) }
    }
}
