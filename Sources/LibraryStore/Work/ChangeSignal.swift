internal import Threads

/// Wakes threads of this process that wait for changes.
package final class ChangeSignal: Sendable {
    private let count = Turnstile(0 as UInt64)

    /// Number of changes so far.
    package var now: UInt64 { count.read { $0 } }

    /// Signals a change.
    package func signal() { count.change { $0 += 1 } }

    /// Blocks until the next change.
    /// - Parameters:
    ///   - seen: the value of ``now`` after which to wait for a change.
    ///   - seconds: the timeout.
    package func wait(since seen: UInt64, seconds: Double) {
        _ = count.wait(upTo: seconds) { $0 == seen ? nil : () }
    }
}
