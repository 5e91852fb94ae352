internal import MP3Decoder

/// Passes on the decoded frames of one section, resampled if necessary.
final class SectionOutput {
    private let assembler: PCMAssembler
    private let resampler: Resampler?
    private let channels: Int
    /// Number of frames passed on, including silent ones.
    private(set) var frames = 0
    private let silence: [Float]

    init(assembler: PCMAssembler, resampler: Resampler?, channels: Int, samplesPerFrame: Int) {
        self.assembler = assembler
        self.resampler = resampler
        self.channels = channels
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
        silence.withUnsafeBufferPointer { take($0, channels: channels) }
    }
}
