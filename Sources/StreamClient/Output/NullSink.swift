/// An output that discards sound, at playback speed or as fast as it comes.
public actor NullSink: AudioSink {
    /// Whether samples are accepted at playback speed.
    public nonisolated let isRealTime: Bool
    private let clock: PlaybackClock
    private let bufferSeconds: Double
    private var rate = 44_100.0
    private var channels = 2.0
    /// The time on the clock at which everything accepted will have been played.
    private var end = 0.0
    private var isOpen = false
    /// Accepted samples per channel.
    public private(set) var takenFrames = 0

    /// Creates an output without sound.
    /// - Parameters:
    ///   - isRealTime: whether it takes as long as playback would.
    ///   - bufferSeconds: the length of its buffer.
    ///   - clock: the clock that measures time.
    public init(isRealTime: Bool = true, bufferSeconds: Double = 0.06, clock: PlaybackClock = .continuous) {
        self.isRealTime = isRealTime
        self.bufferSeconds = bufferSeconds
        self.clock = clock
    }

    /// Prepares the output for samples of a format.
    public func open(_ format: AudioFormat) -> AudioFormat {
        rate = Double(format.sampleRate)
        channels = Double(format.channelCount)
        isOpen = true
        return format
    }

    /// Accepts the next samples.
    public func write(_ samples: [Float]) async throws(PlaybackError) {
        guard isOpen else { return }
        let frames = Double(samples.count) / channels
        takenFrames += Int(frames)
        guard isRealTime else { return await Task.yield() }
        end = max(end, clock.seconds) + frames / rate
        await wait(until: end - bufferSeconds)
    }

    /// Seconds until a sample that is written now would be heard.
    public var latencySeconds: Double { isRealTime ? max(0, end - clock.seconds) : 0 }

    /// Waits until everything that was written would have been heard.
    public func drain() async { if isRealTime { await wait(until: end) } }

    /// Closes the output; it can be opened again.
    public func close() { isOpen = false }

    private func wait(until moment: Double) async {
        // A cancelled task does not wait for the end of the sound.
        try? await clock.sleep(seconds: moment - clock.seconds)
    }
}
