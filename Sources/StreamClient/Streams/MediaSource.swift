internal import MPEGAudio

/// Where the frames of a track come from.
protocol MediaSource: Sendable {
    /// A reader of the frames from a moment on. Nothing is asked of anybody before the first piece is.
    /// - Parameter seconds: on the track's timeline; the first moment that is to sound.
    func reader(from seconds: Double) -> any MediaReader
}

/// Reads the frames of a track in order.
///
/// After an error the next call tries again at the very place: nothing is lost and nothing comes twice.
protocol MediaReader {
    /// The next piece; nil when all has come.
    func next() async throws(PlaybackError) -> MediaPiece?
}

/// What a reader finds.
enum MediaPiece: Sendable {
    /// What is known of the track; comes again when more is.
    case facts(MediaFacts)
    /// The frames that follow do not continue those before: a decoder starts anew, and nothing before the moment sounds. In
    /// ticks of ``StreamTime`` on the gapless timeline.
    case begin(soundFrom: Int)
    /// Frames in order.
    case frames([MediaFrame])
    /// What a station says it is playing.
    case title(StationTitle)
    /// The last frame has come, and so many ticks of its end are the encoder's padding.
    case end(tailTrim: Int)
}

/// A frame in its place.
struct MediaFrame: Sendable {
    /// All its bytes.
    let bytes: [UInt8]
    /// Where it begins on the gapless timeline, in ticks of ``StreamTime``: negative in the encoder's delay.
    let startTicks: Int
    /// How many frames come before it from where a decoder starts that plays the track from its beginning.
    let number: Int
    /// Its samples per channel.
    let sampleCount: Int
    /// Its samples per second.
    let sampleRate: Int
    /// Its channels.
    let channelCount: Int

    init(_ frame: FrameFeed.Frame, startTicks: Int, number: Int) {
        bytes = frame.bytes
        self.number = number
        self.startTicks = startTicks
        sampleCount = frame.header.samplesPerFrame
        sampleRate = frame.header.sampleRate
        channelCount = frame.header.channelCount
    }

    var durationTicks: Int { sampleCount * (StreamTime.ticksPerSecond / sampleRate) }
    var endTicks: Int { startTicks + durationTicks }
}
