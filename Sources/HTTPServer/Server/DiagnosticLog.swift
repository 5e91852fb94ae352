internal import Synchronization

/// Receives the log messages of the HTTP library. The library formats them before it knows which server they belong to, so
/// there is one sink per process: that of the server started last with a sink.
enum DiagnosticLog {
    private static let sink = Mutex<(@Sendable (String) -> Void)?>(nil)

    static func set(_ newSink: @escaping @Sendable (String) -> Void) { sink.withLock { $0 = newSink } }

    static func write(_ line: String) {
        sink.withLock { $0 }?(line.hasSuffix("\n") ? String(line.dropLast()) : line)
    }
}
