/// Where sound goes: a device, a file, nowhere. The engine knows no more of it than this.
///
/// Called by one task, one call at a time.
public protocol AudioSink: Sendable {
    /// Whether time passes in it: where nothing is written, silence is heard. It is not in a file.
    var isRealTime: Bool { get }

    /// Gets ready for sound. Called again before sound of another format, after ``drain()``.
    /// - Returns: the format that is taken: the one asked for, or the nearest that there is.
    /// - Throws: ``PlaybackError`` with code `output_failed`.
    func open(_ format: AudioFormat) async throws(PlaybackError) -> AudioFormat

    /// Takes interleaved samples; waits while enough are in store. This paces playback.
    func write(_ samples: [Float]) async throws(PlaybackError)

    /// Seconds of sound that were taken and are not heard yet.
    var latencySeconds: Double { get async }

    /// Waits until all that was taken is heard. Sound may follow.
    func drain() async throws(PlaybackError)

    /// Ends. Further calls, but for ``open(_:)``, do nothing.
    func close() async
}
