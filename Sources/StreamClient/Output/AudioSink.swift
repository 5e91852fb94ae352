/// An audio output: a device, a file, or nothing. The engine uses only this interface.
///
/// Called by one task, one call at a time.
public protocol AudioSink: Sendable {
    /// Whether the output runs in real time, so that missing samples are heard as silence. False for a file.
    var isRealTime: Bool { get }

    /// Whether missing samples are heard, so that sound fades out before them. False for an output that waits for them.
    var hearsGaps: Bool { get }

    /// Opens the output. Called again when the format changes, after ``drain()``.
    /// - Returns: the format actually used: the requested one, or the nearest available.
    /// - Throws: ``PlaybackError`` with code `output_failed`.
    func open(_ format: AudioFormat) async throws(PlaybackError) -> AudioFormat

    /// Writes interleaved samples; waits while the output buffer is full. This paces playback.
    func write(_ samples: [Float]) async throws(PlaybackError)

    /// Seconds of audio written but not yet played.
    var latencySeconds: Double { get async }

    /// Waits until everything written has been played. More may be written afterwards.
    func drain() async throws(PlaybackError)

    /// Closes the output. Further calls, except ``open(_:)``, do nothing.
    func close() async
}

extension AudioSink {
    /// Whether missing samples are heard: by default, if the output runs in real time.
    public var hearsGaps: Bool { isRealTime }
}
