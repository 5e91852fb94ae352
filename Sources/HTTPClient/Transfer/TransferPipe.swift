internal import Synchronization

/// Buffers the data of a transfer for one reader.
package final class TransferPipe: TransferReceiver {
    /// Maximum number of buffered bytes before the transfer is paused.
    private static let capacity = 1 << 18

    private struct State {
        var id: TransferLoop.TransferID?
        var head: TransferHead?
        var pieces: [[UInt8]] = []
        var byteCount = 0
        var isPaused = false
        /// Nil until the transfer has ended.
        var end: Result<Void, HTTPClientError>?
        var headWaiter: CheckedContinuation<Result<TransferHead, HTTPClientError>, Never>?
        var pieceWaiter: CheckedContinuation<Result<[UInt8]?, HTTPClientError>, Never>?
    }

    private let loop: TransferLoop
    private let state = Mutex(State())

    /// Creates a pipe for one transfer of a loop.
    package init(loop: TransferLoop) { self.loop = loop }

    /// Starts the transfer. Called once.
    package func start(_ request: TransferRequest) {
        let id = loop.start(request, receiver: self)
        state.withLock { $0.id = id }
    }

    /// Cancels the transfer: waiting readers get an error.
    package func cancel() {
        let id = state.withLock { $0.end == nil ? $0.id : nil }
        finish(.failure(HTTPClientError(code: .cancelled, description: "cancelled")))
        if let id { loop.cancel(id) }
    }

    // MARK: Reader

    /// Returns the answer's head as soon as it is there.
    package func head() async throws(HTTPClientError) -> TransferHead {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready: Result<TransferHead, HTTPClientError>? = state.withLock { state in
                    if let head = state.head { return .success(head) }
                    if case .failure(let error) = state.end { return .failure(error) }
                    if case .success = state.end {
                        return .failure(
                            HTTPClientError(code: .badAnswer, description: "the response has no header"))
                    }
                    state.headWaiter = continuation
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Returns the next piece of the content; nil at its end.
    package func next() async throws(HTTPClientError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let ready = takePiece(or: continuation) { continuation.resume(returning: ready) }
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    private func takePiece(
        or continuation: CheckedContinuation<Result<[UInt8]?, HTTPClientError>, Never>
    ) -> Result<[UInt8]?, HTTPClientError>? {
        let (ready, resumed) = state.withLock {
            state -> (Result<[UInt8]?, HTTPClientError>?, TransferLoop.TransferID?) in
            guard !state.pieces.isEmpty else {
                if let end = state.end { return (end.map { nil }, nil) }
                state.pieceWaiter = continuation
                return (nil, nil)
            }
            // Return all buffered pieces as one, so that the reader wakes less often.
            let piece = state.pieces.count == 1 ? state.pieces[0] : Array(state.pieces.joined())
            state.pieces = []
            state.byteCount = 0
            let resumed = state.isPaused ? state.id : nil
            state.isPaused = false
            return (.success(piece), resumed)
        }
        if let resumed { loop.resume(resumed) }
        return ready
    }

    // MARK: Transfer loop callbacks

    /// See ``TransferReceiver``.
    package func transferBegan(_ head: TransferHead) {
        let waiter = state.withLock { state in
            state.head = head
            let waiter = state.headWaiter
            state.headWaiter = nil
            return waiter
        }
        waiter?.resume(returning: .success(head))
    }

    /// See ``TransferReceiver``.
    package func transferReceived(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty else { return true }
        let piece = [UInt8](bytes)
        let (isTaken, waiter) = state.withLock {
            state -> (Bool, CheckedContinuation<Result<[UInt8]?, HTTPClientError>, Never>?) in
            // Drop data after cancellation until it takes effect.
            guard state.end == nil else { return (true, nil) }
            if let waiter = state.pieceWaiter {
                state.pieceWaiter = nil
                return (true, waiter)
            }
            guard state.byteCount < Self.capacity else {
                state.isPaused = true
                return (false, nil)
            }
            state.pieces.append(piece)
            state.byteCount += piece.count
            return (true, nil)
        }
        waiter?.resume(returning: .success(piece))
        return isTaken
    }

    /// See ``TransferReceiver``.
    package func transferEnded(_ error: HTTPClientError?) {
        finish(error.map { .failure($0) } ?? .success(()))
    }

    private func finish(_ end: Result<Void, HTTPClientError>) {
        let (head, piece, result) = state.withLock { state in
            if state.end == nil { state.end = end }
            let waiters = (state.headWaiter, state.pieceWaiter, state.end ?? end)
            state.headWaiter = nil
            state.pieceWaiter = nil
            return waiters
        }
        head?.resume(
            returning: result.flatMap {
                .failure(HTTPClientError(code: .badAnswer, description: "the response has no header"))
            })
        piece?.resume(returning: result.map { nil })
    }
}
