import Synchronization

/// Cancels a pass from another thread or a signal handler.
public final class PassCancellation: Sendable {
    private let flag = Atomic(false)

    /// Creates a cancellation that is not set.
    public init() {}

    /// Cancels the pass: files in progress are dropped, finished ones are kept.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
