internal import Synchronization

extension TransferLoop {
    /// A whole answer in memory.
    package struct Answer: Sendable {
        /// The status code.
        package let status: Int
        /// Header fields in their order; names as the server spelt them.
        package let fields: [(name: String, value: String)]
        /// The content.
        package let body: [UInt8]

        /// Returns the value of the first header field with a name, whatever its case.
        package func field(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// Sends a request and waits for the whole answer. Answers of any status are returned.
    /// - Parameter limit: the maximum size of the content in bytes.
    /// - Throws: ``HTTPClientError`` if there is no complete answer; `cancelled` if the task is cancelled.
    package func answer(
        to request: TransferRequest, limit: Int = 1 << 20
    ) async throws(HTTPClientError) -> Answer {
        let answer = PendingAnswer()
        let collector = AnswerCollector(limit: limit) { answer.resume($0) }
        let result: Result<Answer, HTTPClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                collector.began(start(request, receiver: collector))
                // The task may have been cancelled before the transfer had an id.
                if Task.isCancelled { collector.id.map(cancel) }
            }
        } onCancel: {
            collector.id.map(cancel)
        }
        return try result.get()
    }
}

/// A task that waits for an answer.
private final class PendingAnswer: Sendable {
    private let waiter = Mutex<CheckedContinuation<Result<TransferLoop.Answer, HTTPClientError>, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Result<TransferLoop.Answer, HTTPClientError>, Never>) {
        waiter.withLock { $0 = continuation }
    }

    func resume(_ result: Result<TransferLoop.Answer, HTTPClientError>) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?.resume(returning: result)
    }
}

/// Collects an answer in memory.
final class AnswerCollector: TransferReceiver {
    private struct State {
        var id: TransferLoop.TransferID?
        var head: TransferHead?
        var body: [UInt8] = []
        var isTooLarge = false
    }

    private let limit: Int
    private let completion: @Sendable (Result<TransferLoop.Answer, HTTPClientError>) -> Void
    private let state = Mutex(State())

    /// - Parameter completion: called once, on the loop's thread.
    init(limit: Int, completion: @escaping @Sendable (Result<TransferLoop.Answer, HTTPClientError>) -> Void) {
        self.limit = limit
        self.completion = completion
    }

    var id: TransferLoop.TransferID? { state.withLock(\.id) }

    func began(_ id: TransferLoop.TransferID) { state.withLock { $0.id = id } }

    func transferBegan(_ head: TransferHead) { state.withLock { $0.head = head } }

    func transferReceived(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            if state.body.count + bytes.count > limit {
                // The rest is dropped; the request's timeout ends a server that goes on.
                state.isTooLarge = true
            } else {
                state.body.append(contentsOf: bytes)
            }
        }
        return true
    }

    func transferEnded(_ error: HTTPClientError?) {
        completion(state.withLock { Self.result($0, error, limit) })
    }

    private static func result(
        _ state: State, _ error: HTTPClientError?, _ limit: Int
    ) -> Result<TransferLoop.Answer, HTTPClientError> {
        if let error { return .failure(error) }
        if state.isTooLarge {
            return .failure(
                HTTPClientError(code: .tooLarge, description: "the answer is larger than \(limit) bytes"))
        }
        guard let head = state.head else {
            return .failure(HTTPClientError(code: .badAnswer, description: "the answer has no header"))
        }
        return .success(
            TransferLoop.Answer(status: head.status, fields: head.fields, body: state.body))
    }
}
