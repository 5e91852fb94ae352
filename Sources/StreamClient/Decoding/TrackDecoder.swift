internal import MP3Decoder
internal import MPEGAudio

/// Turns the frames of a track into samples of the output's format, in their places on the gapless timeline.
///
/// Every frame fills its place: one that cannot be decoded becomes silence. What lies before the moment that is to sound, and
/// the padding at the end, does not come out, so that a track from its beginning to its end is what a gapless decoder plays, to
/// the sample.
final class TrackDecoder {
    /// Frames by which libmpg123 may lag behind what it was fed.
    private static let permittedLag = 2
    /// The most samples that padding can come to: 12 bits of them (LAME tag).
    private static let longestPadding = 4096

    let format: AudioFormat
    /// Frames that became silence.
    private(set) var lostFrames = 0
    /// Where the first sample that has not been taken lies, in ticks.
    private(set) var position = 0

    private var queue: SampleQueue
    private var decoder: MPEGDecoder?
    private var reservoir = ReservoirGuard()
    private var resampler: Resampler?
    private var resampledRate = 0
    private var pending: [MediaFrame] = []
    private var soundFrom = 0
    private var isPositioned = false
    private var isFinished = false
    private var scratch: [Float] = []

    init(format: AudioFormat) {
        self.format = format
        queue = SampleQueue(channelCount: format.channelCount)
    }

    /// Samples per channel that can be taken.
    var available: Int { queue.count }

    private var ticksPerSample: Int { StreamTime.ticksPerSecond / format.sampleRate }

    /// Starts anew: the next frame does not continue the last one.
    /// - Parameters:
    ///   - soundFrom: the first moment that is to come out, in ticks.
    ///   - keepsSamples: whether what was decoded is still to be played.
    func begin(soundFrom: Int, keepsSamples: Bool) throws(PlaybackError) {
        if keepsSamples {
            flush()
        } else {
            queue.removeAll()
            pending = []
            isPositioned = false
            isFinished = false
        }
        self.soundFrom = soundFrom
        do throws(DecoderError) {
            decoder = try MPEGDecoder()
            reservoir = ReservoirGuard()
        } catch {
            throw PlaybackError(.decoderFailed, error.description)
        }
        resampler = nil
        resampledRate = 0
        // What is padding is known only when the end is.
        queue.holdBack(Self.longestPadding * ((format.sampleRate + 7999) / 8000))
    }

    /// Decodes a frame.
    func decode(_ frame: MediaFrame) throws(PlaybackError) {
        guard let decoder else { return }
        pending.append(frame)
        do throws(DecoderError) {
            try decoder.feed(reservoir.admit(frame.bytes).span.bytes)
            while case .decoded = try decoder.decodeFrame({ samples, channels, _ in
                take(samples, channels: channels)
            }) {}
        } catch {
            throw PlaybackError(.decoderFailed, error.description)
        }
        while pending.count > Self.permittedLag { takeSilence() }
    }

    /// All frames have come.
    /// - Parameter tailTrim: ticks of padding at the end.
    func finish(tailTrim: Int) {
        guard !isFinished else { return }
        flush()
        isFinished = true
        queue.finish(dropping: tailTrim / ticksPerSample)
    }

    /// Takes samples from the front.
    func take(_ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        queue.take(count, body)
        position += count * ticksPerSample
    }

    // MARK: Frames into their places

    private func flush() {
        while !pending.isEmpty { takeSilence() }
    }

    private func takeSilence() {
        lostFrames += 1
        guard let frame = pending.first else { return }
        let silence = [Float](repeating: 0, count: frame.sampleCount * frame.channelCount)
        silence.withUnsafeBufferPointer { take($0, channels: frame.channelCount) }
    }

    private func take(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
        guard !pending.isEmpty else { return }
        let frame = pending.removeFirst()
        guard channels > 0, frame.endTicks > soundFrom else { return }
        let ticksPerSample = StreamTime.ticksPerSecond / frame.sampleRate
        // The first sample whose place is not before the moment.
        let skipped = max(0, (soundFrom - frame.startTicks + ticksPerSample - 1) / ticksPerSample)
        let count = samples.count / channels - skipped
        guard count > 0 else { return }
        if !isPositioned {
            isPositioned = true
            position = frame.startTicks + skipped * ticksPerSample
        }
        let rest = UnsafeBufferPointer(rebasing: samples[(skipped * channels)...])
        if channels == format.channelCount {
            store(rest, rate: frame.sampleRate)
        } else {
            scratch.removeAll(keepingCapacity: true)
            for i in 0..<count {
                if channels == 1 {
                    scratch.append(rest[i])
                    scratch.append(rest[i])
                } else {
                    scratch.append(0.5 * (rest[2 * i] + rest[2 * i + 1]))
                }
            }
            scratch.withUnsafeBufferPointer { store($0, rate: frame.sampleRate) }
        }
    }

    private func store(_ samples: UnsafeBufferPointer<Float>, rate: Int) {
        guard rate != format.sampleRate else { return queue.append(samples) }
        if resampledRate != rate {
            resampler = try? Resampler(from: rate, to: format.sampleRate, channels: format.channelCount)
            resampledRate = rate
        }
        resampler?.consume(samples) { queue.append($0) }
    }
}
