internal import Foundation

/// Wakes the threads of this program that wait for something to change.
final class ChangeSignal: @unchecked Sendable {
    // Proof: the count is touched only with the condition locked.
    private let condition = NSCondition()
    private var count: UInt64 = 0

    /// How often something has changed.
    var now: UInt64 {
        condition.lock()
        defer { condition.unlock() }
        return count
    }

    /// Tells that something has changed.
    func tell() {
        condition.lock()
        count += 1
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until something has changed since a moment.
    /// - Parameters:
    ///   - seen: what ``now`` was at that moment.
    ///   - seconds: how long at most.
    func wait(since seen: UInt64, seconds: Double) {
        let end = Date() + seconds
        condition.lock()
        while count == seen, condition.wait(until: end) {}
        condition.unlock()
    }
}
