internal import AVDecoder
internal import AudioChannels
internal import FLACAudio
internal import MP4Audio
internal import MPEGAudio
internal import OggAudio
internal import PCMAudio

/// A frame and its position.
struct MediaFrame: Sendable {
    /// The codec of a frame.
    enum Coding: Sendable {
        /// MPEG Layer III.
        case mpeg
        /// FLAC, with the STREAMINFO block of its stream.
        case flac(StreamInfo)
        /// Opus or Vorbis.
        case ogg(OggPart)
        /// Samples that need no decoder.
        case pcm(PCMFormat)
        /// AAC or ALAC.
        case mp4(MP4Part)
    }

    /// A packet's place in its stream.
    struct OggPart: Sendable {
        let headers: OggDecoderHeaders
        /// Number of the link in a chain; each has a decoder of its own.
        let link: Int
        /// Samples per channel that decoding gives.
        let duration: Int
        /// Those of them that are played.
        let played: Range<Int>
    }

    /// An access unit's place in its stream.
    struct MP4Part: Sendable {
        let codec: AVDecoderCodec
        /// Samples per channel that decoding gives.
        let duration: Int
        /// Those of them that are played.
        let played: Range<Int>
        /// Number of channels that decoding gives.
        let channelCount: Int
        /// Number of access units that a decoder needs before it.
        let prerollUnits: Int
    }

    /// The highest sample rate that outputs are asked for.
    private static let highestOutputRate = 96_000

    /// The codec.
    let coding: Coding
    /// The bytes of the frame, including its header.
    let bytes: [UInt8]
    /// Start on the gapless timeline in ticks of ``StreamTime``; negative within the encoder delay.
    let startTicks: Int
    /// End, which is the start of the next frame.
    let endTicks: Int
    /// Number of frames since the point from which a decoder that plays the whole track would have started.
    let number: Int
    /// Number of samples per channel.
    let sampleCount: Int
    /// Sample rate in Hz.
    let sampleRate: Int
    /// Number of channels that are played: 1 or 2.
    let channelCount: Int

    init(_ frame: FrameFeed.Frame, startTicks: Int, number: Int) {
        coding = .mpeg
        bytes = frame.bytes
        self.number = number
        self.startTicks = startTicks
        sampleCount = frame.header.samplesPerFrame
        sampleRate = frame.header.sampleRate
        channelCount = frame.header.channelCount
        endTicks = startTicks + sampleCount * (StreamTime.ticksPerSecond / sampleRate)
    }

    /// - Parameters:
    ///   - startSample: its first sample on the track's timeline.
    ///   - information: the STREAMINFO block of its stream.
    init(_ frame: FLACFeed.Frame, startSample: Int, number: Int, _ information: StreamInfo) {
        coding = .flac(information)
        bytes = frame.bytes
        self.number = number
        sampleCount = frame.header.blockSize
        sampleRate = frame.format.sampleRate
        channelCount = min(2, frame.format.channelCount)
        startTicks = StreamTime.ticks(ofSample: startSample, at: sampleRate)
        endTicks = StreamTime.ticks(ofSample: startSample + sampleCount, at: sampleRate)
    }

    /// - Parameter link: the number of its link in a chain.
    init(_ packet: OggFeed.Packet, number: Int, _ headers: OggDecoderHeaders, link: Int) {
        coding = .ogg(
            OggPart(headers: headers, link: link, duration: packet.duration, played: packet.played))
        bytes = packet.bytes
        self.number = number
        sampleCount = packet.played.count
        sampleRate = headers.sampleRate
        channelCount = min(2, headers.channelCount)
        startTicks = StreamTime.ticks(ofSample: packet.startSample, at: sampleRate)
        endTicks = StreamTime.ticks(ofSample: packet.startSample + sampleCount, at: sampleRate)
    }

    /// Creates a block of samples.
    init(samples: [UInt8], startSample: Int, count: Int, _ format: PCMFormat) {
        coding = .pcm(format)
        bytes = samples
        number = 0
        sampleCount = count
        sampleRate = format.sampleRate
        channelCount = min(2, format.channelCount)
        startTicks = StreamTime.ticks(ofSample: startSample, at: sampleRate)
        endTicks = StreamTime.ticks(ofSample: startSample + count, at: sampleRate)
    }

    /// - Parameters:
    ///   - bytes: the access unit's bytes.
    ///   - number: its number in the index.
    init(_ unit: AccessUnit, _ bytes: [UInt8], number: Int, _ index: MP4AudioIndex) {
        let played = index.played.clamped(to: unit.startSample..<unit.startSample + unit.sampleCount)
        coding = .mp4(
            MP4Part(
                codec: AVDecoderCodec(index.codec), duration: unit.sampleCount,
                played: played.lowerBound - unit.startSample..<played.upperBound - unit.startSample,
                channelCount: index.codec.channelCount, prerollUnits: index.codec.prerollUnits))
        self.bytes = bytes
        self.number = number
        sampleCount = played.count
        sampleRate = index.codec.sampleRate
        channelCount = min(2, index.codec.channelCount)
        let start = max(0, played.lowerBound - index.played.lowerBound)
        startTicks = StreamTime.ticks(ofSample: start, at: sampleRate)
        endTicks = StreamTime.ticks(ofSample: start + sampleCount, at: sampleRate)
    }

    /// Creates a frame that cannot be decoded, in place of missing ones.
    init(silentFrom start: Int, to end: Int, _ format: FLACFormat, number: Int, _ information: StreamInfo) {
        coding = .flac(information)
        bytes = []
        self.number = number
        sampleCount = end - start
        sampleRate = format.sampleRate
        channelCount = min(2, format.channelCount)
        startTicks = StreamTime.ticks(ofSample: start, at: sampleRate)
        endTicks = StreamTime.ticks(ofSample: end, at: sampleRate)
    }

    /// The format in which an output should play it: its own, or a lower rate that ``StreamTime`` can count.
    var outputFormat: AudioFormat {
        var rate = sampleRate
        while rate > Self.highestOutputRate, rate.isMultiple(of: 2) { rate /= 2 }
        if rate > Self.highestOutputRate || !StreamTime.ticksPerSecond.isMultiple(of: rate) { rate = 48_000 }
        return AudioFormat(sampleRate: rate, channelCount: channelCount)
    }

    /// The number of the frame to start with so that this one is decoded as in the whole track.
    var firstNeeded: Int {
        switch coding {
        case .mpeg: Preroll.start(before: number, sampleCount: sampleCount)
        case .flac: number
        case .ogg, .mp4: max(0, number - longestPreroll)
        case .pcm: number
        }
    }

    /// Maximum number of frames that are read before the first audible one.
    var longestPreroll: Int {
        switch coding {
        case .mpeg: Preroll.longest(sampleCount: sampleCount)
        case .flac: 0
        case .ogg(let part): part.headers.prerollPackets(duration: part.duration)
        case .pcm: 0
        case .mp4(let part): part.prerollUnits
        }
    }
}

extension StreamTime {
    /// Returns the time of a sample at any rate, rounded to the nearest tick. Negative samples need a rate that divides the ticks.
    static func ticks(ofSample sample: Int, at rate: Int) -> Int {
        ticksPerSecond.isMultiple(of: rate)
            ? sample * (ticksPerSecond / rate) : (sample * ticksPerSecond + rate / 2) / rate
    }

    /// Returns the sample at a time, rounded to the nearest; times are from 0 on.
    static func sample(atTicks ticks: Int, rate: Int) -> Int {
        (ticks * rate + ticksPerSecond / 2) / ticksPerSecond
    }
}
