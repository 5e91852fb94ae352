public import StreamClient

/// Nowhere: takes sound at the pace at which it would be heard, or as fast as it comes.
public actor NullSink: AudioSink {
    /// Whether samples are taken at the speed at which they sound.
    public nonisolated let isRealTime: Bool
    private let clock: PlaybackClock
    private let bufferSeconds: Double
    private var rate = 44_100.0
    private var channels = 2.0
    /// When all that was taken will have been heard, by the clock.
    private var end = 0.0
    private var isOpen = false
    /// Samples per channel that were taken.
    public private(set) var takenFrames = 0

    /// An output without sound.
    /// - Parameters:
    ///   - isRealTime: whether it takes as long as playing would.
    ///   - bufferSeconds: how much it takes ahead of time.
    ///   - clock: what time goes by.
    public init(isRealTime: Bool = true, bufferSeconds: Double = 0.06, clock: PlaybackClock = .continuous) {
        self.isRealTime = isRealTime
        self.bufferSeconds = bufferSeconds
        self.clock = clock
    }

    /// Gets ready for samples of a format.
    public func open(_ format: AudioFormat) -> AudioFormat {
        rate = Double(format.sampleRate)
        channels = Double(format.channelCount)
        isOpen = true
        return format
    }

    /// Takes the next samples.
    public func write(_ samples: [Float]) async throws(PlaybackError) {
        guard isOpen else { return }
        let frames = Double(samples.count) / channels
        takenFrames += Int(frames)
        guard isRealTime else { return await Task.yield() }
        end = max(end, clock.seconds) + frames / rate
        await wait(until: end - bufferSeconds)
    }

    /// Seconds until what is written now is heard.
    public var latencySeconds: Double { isRealTime ? max(0, end - clock.seconds) : 0 }

    /// Waits until all that was written is out.
    public func drain() async { if isRealTime { await wait(until: end) } }

    /// Ends the output; it can be opened anew.
    public func close() { isOpen = false }

    private func wait(until moment: Double) async {
        // Nobody who is cancelled waits for silence.
        try? await clock.sleep(seconds: moment - clock.seconds)
    }
}
