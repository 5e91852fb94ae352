internal import Synchronization

/// The way of a streamed response from the task that makes it to the library's thread that sends it.
final class ResponsePipe: Sendable {
    enum ReadResult {
        case bytes(Int)
        /// There is nothing yet; the connection rests until there is.
        case resting
        case ended
        case failed
    }

    let byteCount: Int?
    private let stream: ResponseStream
    private let limit: Int
    private let state: Mutex<State>

    private struct State {
        let handle: ConnectionHandle
        var task: Task<Void, Never>?
        var chunks: [[UInt8]] = []
        var firstChunkOffset = 0
        var queuedByteCount = 0
        var producedByteCount = 0
        var takenByteCount = 0
        var isResting = false
        var isFinished = false
        var isFailed = false
        var isClosed = false
        var writer: CheckedContinuation<Void, any Error>?

        mutating func wake() {
            guard isResting else { return }
            isResting = false
            handle.resume()
        }

        mutating func takeWriter() -> CheckedContinuation<Void, any Error>? {
            defer { writer = nil }
            return writer
        }
    }

    /// Ends a producer whose remaining bytes lie outside of the range that was asked for.
    private struct RangeIsComplete: Error {}

    init(_ stream: ResponseStream, handle: ConnectionHandle, limit: Int) {
        self.stream = stream
        self.limit = limit
        byteCount = stream.byteCount
        state = Mutex(State(handle: handle))
    }

    /// Bytes that the library has taken to be sent.
    var takenByteCount: Int { state.withLock { $0.takenByteCount } }

    /// Starts to make the content.
    func start() {
        let task = Task(executorPreference: HandlerExecutor.shared) {
            do {
                try await self.stream.produce(ResponseWriter { try await self.accept($0) })
                self.finish()
            } catch is RangeIsComplete {
                self.finish()
            } catch {
                self.fail()
            }
        }
        state.withLock { state in
            state.task = task
            if state.isClosed { task.cancel() }
        }
    }

    // MARK: The library's thread

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
        let (result, writer) = state.withLock {
            state -> (ReadResult, CheckedContinuation<Void, any Error>?) in
            if state.isFailed { return (.failed, nil) }
            var filled = 0
            while filled < buffer.count, let chunk = state.chunks.first {
                let count = min(buffer.count - filled, chunk.count - state.firstChunkOffset)
                let part = chunk[state.firstChunkOffset..<(state.firstChunkOffset + count)]
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + count)]).copyBytes(
                    from: part)
                filled += count
                state.firstChunkOffset += count
                if state.firstChunkOffset == chunk.count {
                    state.chunks.removeFirst()
                    state.firstChunkOffset = 0
                }
            }
            state.queuedByteCount -= filled
            state.takenByteCount += filled
            let writer = state.queuedByteCount < limit ? state.takeWriter() : nil
            if filled > 0 { return (.bytes(filled), writer) }
            if state.isFinished { return (.ended, writer) }
            state.isResting = true
            state.handle.suspend()
            return (.resting, writer)
        }
        writer?.resume()
        return result
    }

    /// The library needs no more: the response went out, or the connection ended.
    func close() {
        let (task, writer) = state.withLock { state in
            state.isClosed = true
            state.isResting = false
            state.chunks = []
            defer { state.task = nil }
            return (state.task, state.takeWriter())
        }
        writer?.resume(throwing: Exchange.connectionClosed)
        task?.cancel()
    }

    // MARK: The producer's task

    private func accept(_ bytes: [UInt8]) async throws {
        var bytes = bytes
        if let bounds = stream.bounds {
            let start = state.withLock { state in
                defer { state.producedByteCount += bytes.count }
                return state.producedByteCount
            }
            if start >= bounds.upperBound { throw RangeIsComplete() }
            let lower = max(bounds.lowerBound - start, 0)
            let upper = min(bounds.upperBound - start, bytes.count)
            if lower >= upper { return }
            bytes = Array(bytes[lower..<upper])
        } else {
            let total = state.withLock { state in
                state.producedByteCount += bytes.count
                return state.producedByteCount
            }
            if let byteCount, total > byteCount {
                throw HTTPServerError(
                    .lengthMismatch, "\(total) bytes were written where \(byteCount) were announced.")
            }
        }
        try await enqueue(bytes)
    }

    private func enqueue(_ bytes: [UInt8]) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.isClosed || state.isFailed { return .failure(Exchange.connectionClosed) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    // Small pieces go together: a producer may write byte by byte.
                    if let last = state.chunks.indices.last, state.chunks[last].count < 16_384 {
                        state.chunks[last].append(contentsOf: bytes)
                    } else {
                        state.chunks.append(bytes)
                    }
                    state.queuedByteCount += bytes.count
                    state.wake()
                    if state.queuedByteCount < limit { return .success(()) }
                    state.writer = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.takeWriter() }?.resume(throwing: CancellationError())
        }
    }

    private func finish() {
        state.withLock { state in
            // A short stream of announced length must not look whole: the connection is cut instead.
            let produced = state.producedByteCount
            if stream.bounds == nil, let byteCount, produced < byteCount { state.isFailed = true }
            state.isFinished = true
            state.wake()
        }
    }

    private func fail() {
        state.withLock { state in
            state.isFailed = true
            state.wake()
        }
    }

    // MARK: Any thread

    /// Gives the response up; the connection is cut.
    func abort() {
        let (task, writer) = state.withLock { state in
            state.isFailed = true
            state.wake()
            return (state.task, state.takeWriter())
        }
        writer?.resume(throwing: Exchange.connectionClosed)
        task?.cancel()
    }
}
