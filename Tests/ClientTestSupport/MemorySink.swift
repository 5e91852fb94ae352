package import StreamClient

/// An output that keeps the samples, as fast as they come.
package actor MemorySink: AudioSink {
    package nonisolated let isRealTime = false
    /// The accepted samples, interleaved.
    package private(set) var samples: [Float] = []
    /// The formats in which the output was opened.
    package private(set) var formats: [AudioFormat] = []

    package init() {}

    package func open(_ format: AudioFormat) -> AudioFormat {
        formats.append(format)
        return format
    }

    package func write(_ samples: [Float]) { self.samples += samples }
    package var latencySeconds: Double { 0 }
    package func drain() {}
    package func close() {}
}
