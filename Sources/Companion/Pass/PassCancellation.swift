import Synchronization

/// Ends a pass from another thread or a signal handler.
public final class PassCancellation: Sendable {
    private let flag = Atomic(false)

    /// Not cancelled yet.
    public init() {}

    /// Asks the pass to end: tracks in flight are dropped, everything finished is kept.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }
}
