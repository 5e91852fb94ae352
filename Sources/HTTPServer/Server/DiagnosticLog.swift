internal import Synchronization

/// Where the lines of the HTTP library go. It formats them before it knows which server they belong to, so that there
/// is one sink a process: that of the server started last with one.
enum DiagnosticLog {
    private static let sink = Mutex<(@Sendable (String) -> Void)?>(nil)

    static func set(_ newSink: @escaping @Sendable (String) -> Void) { sink.withLock { $0 = newSink } }

    static func write(_ line: String) {
        sink.withLock { $0 }?(line.hasSuffix("\n") ? String(line.dropLast()) : line)
    }
}
