internal import AVDecoder
internal import AudioChannels
internal import FLACAudio
internal import FLACDecoder
internal import MP3Decoder
internal import MPEGAudio
internal import OggAudio
internal import PCMAudio

/// Decodes a track's frames into samples of the output format, in their positions on the gapless timeline.
///
/// Every frame fills its position: one that cannot be decoded becomes silence. Samples before the start position and the
/// padding at the end are dropped, so that a track played from start to end matches a gapless decoder to the sample.
final class TrackDecoder {
    /// Maximum padding in samples: the LAME tag stores 12 bits.
    private static let longestPadding = 4096

    let format: AudioFormat
    /// Number of frames replaced by silence.
    private(set) var lostFrames = 0
    /// Position of the first sample that has not been taken, in ticks.
    private(set) var position = 0

    private var queue: SampleQueue
    private var decoder: AlignedDecoder?
    private var flac: (information: StreamInfo, decoder: FLACDecoder)?
    private var ogg: OggTrackDecoder?
    private var mp4: (codec: AVDecoderCodec, decoder: AVDecoder)?
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

    /// Number of samples per channel that can be taken.
    var available: Int { queue.count }

    private var ticksPerSample: Int { StreamTime.ticksPerSecond / format.sampleRate }

    /// Restarts the decoder: the next frame does not continue the last one.
    /// - Parameters:
    ///   - soundFrom: the first position to output, in ticks.
    ///   - keepsSamples: whether samples already decoded are still played.
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
        ogg = nil
        mp4?.decoder.reset()
        do throws(DecoderError) {
            decoder = try AlignedDecoder()
            reservoir = ReservoirGuard()
        } catch {
            throw PlaybackError(.decoderFailed, error.description)
        }
        resampler = nil
        resampledRate = 0
        // The amount of padding is known only at the end of the track.
        queue.holdBack(Self.longestPadding * ((format.sampleRate + 7999) / 8000))
    }

    /// Decodes a frame.
    func decode(_ frame: MediaFrame) throws(PlaybackError) {
        guard let decoder else { return }
        switch frame.coding {
        case .mpeg: break
        case .flac(let information): return try decode(frame, information)
        case .ogg(let part): return try decode(frame, part)
        case .pcm(let format): return take(Self.samples(frame, format), of: frame)
        case .mp4(let part): return try decode(frame, part)
        }
        pending.append(frame)
        do throws(DecoderError) {
            try decoder.decode(reservoir.admit(frame.bytes).span.bytes) { take($0) }
        } catch {
            throw PlaybackError(.decoderFailed, error.description)
        }
    }

    /// Decodes a FLAC frame, which needs no other. More than two channels are mixed as on the host.
    private func decode(_ frame: MediaFrame, _ information: StreamInfo) throws(PlaybackError) {
        let decoder: FLACDecoder
        if let flac, flac.information == information {
            decoder = flac.decoder
        } else {
            do throws(FLACDecoderError) {
                decoder = try FLACDecoder(streamInfo: information.bytes)
            } catch {
                throw PlaybackError(.decoderFailed, error.description)
            }
            flac = (information, decoder)
        }
        var interleaved: [Float] = []
        let isDecoded = decoder.decode(frame.bytes.span.bytes) { channels in
            interleaved = Self.stereo(channels, 0..<(channels.first?.count ?? 0))
        }
        take(isDecoded ? interleaved : [], of: frame)
    }

    /// Decodes a packet of Opus or Vorbis.
    private func decode(_ frame: MediaFrame, _ part: MediaFrame.OggPart) throws(PlaybackError) {
        if ogg?.continues(part) != true { ogg = try OggTrackDecoder(part) }
        var interleaved: [Float] = []
        let isDecoded = ogg?.decode(frame.bytes) { channels in
            let present = part.played.clamped(to: 0..<(channels.first?.count ?? 0))
            interleaved = Self.stereo(channels, present)
        }
        take(isDecoded == true ? interleaved : [], of: frame)
    }

    /// Decodes an access unit of AAC or ALAC.
    private func decode(_ frame: MediaFrame, _ part: MediaFrame.MP4Part) throws(PlaybackError) {
        let decoder: AVDecoder
        if let mp4, mp4.codec == part.codec {
            decoder = mp4.decoder
        } else {
            do throws(AVDecoderError) {
                decoder = try AVDecoder(part.codec)
            } catch {
                throw PlaybackError(.decoderFailed, error.description)
            }
            mp4 = (part.codec, decoder)
        }
        var interleaved: [Float] = []
        let isDecoded = decoder.decode(frame.bytes.span.bytes) { channels in
            guard channels.first?.count == part.duration, channels.count == part.channelCount else { return }
            interleaved = Self.stereo(channels, part.played, decoder.layout)
        }
        take(isDecoded ? interleaved : [], of: frame)
    }

    /// Returns the samples of a block that needs no decoder.
    private static func samples(_ frame: MediaFrame, _ format: PCMFormat) -> [Float] {
        let channels = (0..<format.channelCount).map { _ in
            UnsafeMutableBufferPointer<Float>.allocate(capacity: frame.sampleCount)
        }
        defer { for channel in channels { channel.deallocate() } }
        for channel in channels { channel.initialize(repeating: 0) }
        SampleReader(format.coding, channelCount: format.channelCount).read(
            frame.bytes.span.bytes, into: channels)
        return stereo(channels.map { UnsafeBufferPointer($0) }, 0..<frame.sampleCount, format.layout)
    }

    /// Returns samples of one or two channels, interleaved; more are mixed as on the host.
    /// - Parameter layout: the loudspeakers of the channels; nil for the order of FLAC.
    private static func stereo(
        _ channels: [UnsafeBufferPointer<Float>], _ range: Range<Int>, _ layout: ChannelLayout? = nil
    ) -> [Float] {
        let layout = layout ?? ChannelLayout.flac(channelCount: channels.count)
        let shares = layout.stereoShares.map { [$0.left, $0.right] }
        var interleaved: [Float] = []
        interleaved.reserveCapacity(min(2, channels.count) * range.count)
        for index in range {
            guard let shares else {
                for channel in channels { interleaved.append(channel[index]) }
                continue
            }
            for side in shares {
                interleaved.append(zip(channels, side).reduce(0) { $0 + $1.0[index] * $1.1 })
            }
        }
        return interleaved
    }

    /// Takes the samples of a frame, or silence if they are not as many as it has.
    private func take(_ interleaved: [Float], of frame: MediaFrame) {
        var samples = interleaved
        if samples.count != frame.sampleCount * frame.channelCount {
            lostFrames += 1
            samples = [Float](repeating: 0, count: frame.sampleCount * frame.channelCount)
        }
        samples.withUnsafeBufferPointer { take($0, channels: frame.channelCount, of: frame) }
    }

    /// Finishes decoding after the last frame.
    /// - Parameter tailTrim: ticks of padding at the end.
    func finish(tailTrim: Int) {
        guard !isFinished else { return }
        flush()
        isFinished = true
        queue.finish(dropping: tailTrim / ticksPerSample)
    }

    /// Removes samples from the front and passes them to `body`.
    func take(_ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        queue.take(count, body)
        position += count * ticksPerSample
    }

    // MARK: Positions of frames

    private func flush() { decoder?.finish { take($0) } }

    private func take(_ result: AlignedDecoder.Result) {
        guard !pending.isEmpty else { return }
        let frame = pending.removeFirst()
        switch result {
        case .samples(let samples, let channels): take(samples, channels: channels, of: frame)
        case .lost:
            lostFrames += 1
            let silence = [Float](repeating: 0, count: frame.sampleCount * frame.channelCount)
            silence.withUnsafeBufferPointer { take($0, channels: frame.channelCount, of: frame) }
        }
    }

    private func take(_ samples: UnsafeBufferPointer<Float>, channels: Int, of frame: MediaFrame) {
        guard channels > 0, frame.endTicks > soundFrom else { return }
        let ticks = StreamTime.ticksPerSecond
        // The first sample at or after the start position.
        let skipped = max(0, ((soundFrom - frame.startTicks) * frame.sampleRate + ticks - 1) / ticks)
        let count = samples.count / channels - skipped
        guard count > 0 else { return }
        if !isPositioned {
            isPositioned = true
            position = frame.startTicks + skipped * ticks / frame.sampleRate
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
