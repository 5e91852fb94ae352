public import StreamClient
internal import Threads

/// A sound device through ALSA: `default` leads to PulseAudio or PipeWire if one of them runs.
///
/// The library's calls wait for the device, so they run on a thread of their own.
public actor ALSASink: AudioSink {
    /// Whether samples are accepted at playback speed.
    public nonisolated let isRealTime = true

    private let thread = ThreadExecutor("audio-output")
    private let name: String
    private let bufferSeconds: Double
    private var device: ALSADevice?

    /// The actor's own thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Creates an output to a device with an ALSA name.
    /// - Parameters:
    ///   - device: the name, such as `default`, `hw:0` or `null`.
    ///   - bufferSeconds: the length of its buffer, which delays a pause or a jump.
    public init(device: String = "default", bufferSeconds: Double = 0.08) {
        name = device
        self.bufferSeconds = bufferSeconds
    }

    /// Prepares the output for samples of a format.
    public func open(_ format: AudioFormat) throws(PlaybackError) -> AudioFormat {
        // A device can be opened again only after it is closed.
        device = nil
        let opened = try ALSADevice(name: name, format: format, bufferSeconds: bufferSeconds)
        device = opened
        return opened.format
    }

    /// Plays the next samples.
    public func write(_ samples: [Float]) throws(PlaybackError) { try device?.write(samples) }

    /// Seconds until a sample that is written now is heard.
    public var latencySeconds: Double { device?.latencySeconds ?? 0 }

    /// Waits until everything that was written has been heard.
    public func drain() { device?.drain() }

    /// Closes the output; it can be opened again.
    public func close() { device = nil }
}
