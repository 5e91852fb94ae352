internal import Synchronization

/// Slows down whoever guesses keys: after some failures an address has to wait before it may try again.
final class FailureLimiter: Sendable {
    /// Failures that an address is allowed within the window.
    let allowed: Int
    /// Seconds after which a failure is forgotten.
    static let windowSeconds = 60.0
    /// Addresses kept in mind; beyond it the oldest are forgotten.
    private static let capacity = 10_000

    private let failures = Mutex<[String: [Double]]>([:])

    init(allowed: Int) { self.allowed = allowed }

    /// Whether an address must wait.
    /// - Parameter now: a steady clock in seconds.
    func isBlocked(_ address: String, now: Double) -> Bool {
        failures.withLock { failures in
            (failures[address] ?? []).filter { now - $0 < Self.windowSeconds }.count >= allowed
        }
    }

    /// Notes a failure.
    func failed(_ address: String, now: Double) {
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
