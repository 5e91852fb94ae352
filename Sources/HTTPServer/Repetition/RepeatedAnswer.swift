internal import CMicroHTTPD
internal import Synchronization

/// An answer in the form in which it goes out, to be sent again and again until its ``Repetition`` goes.
final class RepeatedAnswer: Sendable {
    let byteCount: Int?
    let metrics: RouteMetrics?

    /// @unchecked: the library counts the users of a response under a lock of its own.
    private struct Content: ~Copyable, @unchecked Sendable {
        let outgoing: OutgoingResponse
        let isRight: @Sendable () -> Bool
    }

    private let content: Mutex<Content?>

    init(
        _ outgoing: consuming OutgoingResponse, while isRight: @escaping @Sendable () -> Bool,
        byteCount: Int?,
        metrics: RouteMetrics?
    ) {
        content = Mutex(Content(outgoing: outgoing, isRight: isRight))
        self.byteCount = byteCount
        self.metrics = metrics
    }

    /// Whether it may be sent once more.
    var isRight: Bool { content.withLock { $0?.isRight }?() == true }

    /// Hands the answer to the library; nil where it is gone.
    func queue(on handle: ConnectionHandle) -> MHD_Result? {
        content.withLock { $0?.outgoing.queue(on: handle) }
    }

    /// Lets go of what is sent.
    func end() { content.withLock { $0 = nil } }
}
