internal import Foundation

/// Wakes threads of this process that wait for changes.
final class ChangeSignal: @unchecked Sendable {
    // Safe: the count is accessed only with the condition locked.
    private let condition = NSCondition()
    private var count: UInt64 = 0

    /// Number of changes so far.
    var now: UInt64 {
        condition.lock()
        defer { condition.unlock() }
        return count
    }

    /// Signals a change.
    func signal() {
        condition.lock()
        count += 1
        condition.broadcast()
        condition.unlock()
    }

    /// Blocks until the next change.
    /// - Parameters:
    ///   - seen: the value of ``now`` after which to wait for a change.
    ///   - seconds: the timeout.
    func wait(since seen: UInt64, seconds: Double) {
        let end = Date() + seconds
        condition.lock()
        while count == seen, condition.wait(until: end) {}
        condition.unlock()
    }
}
