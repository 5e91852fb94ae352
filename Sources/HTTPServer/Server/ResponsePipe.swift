internal import Synchronization

/// Passes a streamed response from the task that produces it to the library's thread that sends it.
final class ResponsePipe: Sendable {
    enum ReadResult {
        case bytes(Int)
        /// No data yet; the connection is suspended until there is.
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

    /// Ends a producer whose remaining bytes lie outside the requested range.
    private struct RangeIsComplete: Error {}

    init(_ stream: ResponseStream, handle: ConnectionHandle, limit: Int) {
        self.stream = stream
        self.limit = limit
        byteCount = stream.byteCount
        state = Mutex(State(handle: handle))
    }

    /// Number of bytes taken by the library for sending.
    var takenByteCount: Int { state.withLock { $0.takenByteCount } }

    /// Starts producing the content.
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

    // MARK: Library thread

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

    /// Called when the library needs no more data: the response was sent, or the connection ended.
    func close() {
        let (task, writer) = state.withLock { state in
            state.isClosed = true
            state.isResting = false
            state.chunks = []
            defer { state.task = nil }
            return (state.task, state.takeWriter())
        }
        writer?.resume(throwing: HTTPServerError.connectionClosed)
        task?.cancel()
    }

    // MARK: Producer task

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
                    .lengthMismatch, "\(total) bytes written, but \(byteCount) announced")
            }
        }
        try await enqueue(bytes)
    }

    private func enqueue(_ bytes: [UInt8]) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.isClosed || state.isFailed { return .failure(HTTPServerError.connectionClosed) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    // Merge small pieces: a producer may write byte by byte.
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
            // A stream shorter than announced must not look complete: close the connection instead.
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

    /// Aborts the response; the connection is closed.
    func abort() {
        let (task, writer) = state.withLock { state in
            state.isFailed = true
            state.wake()
            return (state.task, state.takeWriter())
        }
        writer?.resume(throwing: HTTPServerError.connectionClosed)
        task?.cancel()
    }
}
