internal import Synchronization
internal import Threads

/// Cancels a pass from another thread.
package final class PassCancellation: Sendable {
    // Besides the turnstile: workers look at it for every block of samples.
    private let flag = Atomic(false)
    private let state = Turnstile(false)

    /// Creates a cancellation that is not set.
    package init() {}

    /// Cancels the pass: files in progress are dropped, finished ones are kept.
    package func cancel() {
        flag.store(true, ordering: .relaxed)
        state.change { $0 = true }
    }

    /// Whether ``cancel()`` was called.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Waits for some seconds, or until ``cancel()`` is called.
    package func wait(upTo seconds: Double) { _ = state.wait(upTo: seconds) { $0 ? () : nil } }
}
