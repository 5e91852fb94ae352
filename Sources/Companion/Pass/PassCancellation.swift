import Synchronization

/// Cancels a pass from another thread or a signal handler.
package final class PassCancellation: Sendable {
    private let flag = Atomic(false)

    /// Creates a cancellation that is not set.
    package init() {}

    /// Cancels the pass: files in progress are dropped, finished ones are kept.
    package func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether ``cancel()`` was called.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
