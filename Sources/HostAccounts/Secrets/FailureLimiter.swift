internal import Synchronization

/// Slows down key guessing: after a number of failures, an address must wait before it can try again.
package final class FailureLimiter: Sendable {
    /// Number of failures that an address may have within the window.
    package let allowed: Int
    /// Length of the window in seconds; older failures do not count.
    package static let windowSeconds = 60.0
    /// Maximum number of tracked addresses; above it, expired entries are dropped first, then arbitrary ones.
    private static let capacity = 10_000

    private let failures = Mutex<[String: [Double]]>([:])

    package init(allowed: Int) { self.allowed = allowed }

    /// Whether an address must wait.
    /// - Parameter now: Monotonic time in seconds.
    package func isBlocked(_ address: String, now: Double) -> Bool {
        failures.withLock { failures in
            (failures[address] ?? []).filter { now - $0 < Self.windowSeconds }.count >= allowed
        }
    }

    /// Records a failed attempt.
    package func failed(_ address: String, now: Double) {
        failures.withLock { failures in
            failures[address] = ((failures[address] ?? []) + [now])
                .filter { now - $0 < Self.windowSeconds }.suffix(allowed)
            if failures.count > Self.capacity {
                failures = failures.filter { $0.value.contains { now - $0 < Self.windowSeconds } }
            }
            if failures.count > Self.capacity, let any = failures.keys.first { failures[any] = nil }
        }
    }
}
