internal import Glibc

/// State that several threads share, and whose changes they can wait for: a lock and a condition variable.
///
/// Every change wakes all waiting threads, which check again what they wait for.
package final class Turnstile<State>: @unchecked Sendable {
    // Safe although unchecked: the state is used with the lock held only. The memory of lock and condition lives as long as
    // this object.
    private var state: State
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    /// - Parameter state: the initial state; must not be used elsewhere.
    package init(_ state: sending State) {
        self.state = state
        lock = .allocate(capacity: 1)
        pthread_mutex_init(lock, nil)
        changed = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A change of the system's time must not lengthen a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(lock)
        changed.deallocate()
        lock.deallocate()
    }

    /// Reads or changes the state, and wakes the waiting threads.
    package func change<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(lock)
        }
        return try body(&state)
    }

    /// Reads the state without waking anybody.
    package func read<Value>(_ body: (State) throws -> Value) rethrows -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(state)
    }

    /// Waits until a closure returns a value, which it may take out of the state.
    /// - Parameters:
    ///   - seconds: the longest time to wait; nil for any time.
    ///   - body: called at first and after each change.
    /// - Returns: the value; nil if the time has passed.
    package func wait<Value>(upTo seconds: Double? = nil, _ body: (inout State) throws -> Value?) rethrows
        -> Value?
    {
        var end = timespec()
        if let seconds { end = Self.monotonicTime(in: seconds) }
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let value = try body(&state) {
                // Another thread may wait for what this closure has changed.
                pthread_cond_broadcast(changed)
                return value
            }
            guard seconds != nil else {
                pthread_cond_wait(changed, lock)
                continue
            }
            if pthread_cond_timedwait(changed, lock, &end) == ETIMEDOUT { return try body(&state) }
        }
    }

    private static func monotonicTime(in seconds: Double) -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        // A limit of thirty years, so that any number of seconds is a valid time.
        let wait = min(max(0, seconds), 1e9)
        time.tv_sec += Int(wait)
        time.tv_nsec += Int((wait - wait.rounded(.down)) * 1e9)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return time
    }
}
