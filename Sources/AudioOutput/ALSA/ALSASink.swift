public import StreamClient

/// A sound device by ALSA: `default` leads to PulseAudio or PipeWire where one of them runs.
///
/// The library's calls wait for the device, so they run on a thread of their own.
public actor ALSASink: AudioSink {
    /// Whether samples are taken at the speed at which they sound.
    public nonisolated let isRealTime = true

    private let thread = DeviceThread()
    private let name: String
    private let bufferSeconds: Double
    private var device: ALSADevice?

    /// The actor's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// A device by its ALSA name.
    /// - Parameters:
    ///   - device: such as `default`, `hw:0` or `null`.
    ///   - bufferSeconds: how much it takes ahead of time: what a pause or a jump takes to be heard.
    public init(device: String = "default", bufferSeconds: Double = 0.08) {
        name = device
        self.bufferSeconds = bufferSeconds
    }

    /// Gets ready for samples of a format.
    public func open(_ format: AudioFormat) throws(PlaybackError) -> AudioFormat {
        // A device is free for the next only when the last is closed.
        device = nil
        let opened = try ALSADevice(name: name, format: format, bufferSeconds: bufferSeconds)
        device = opened
        return opened.format
    }

    /// Takes the next samples.
    public func write(_ samples: [Float]) throws(PlaybackError) { try device?.write(samples) }

    /// Seconds until what is written now is heard.
    public var latencySeconds: Double { device?.latencySeconds ?? 0 }

    /// Waits until all that was written is out.
    public func drain() { device?.drain() }

    /// Ends the output; it can be opened anew.
    public func close() { device = nil }
}
