internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A request and its response on a connection: the meeting point of the library's thread and the handler's task.
///
/// Whoever finds that the other has nothing ready suspends the connection, or waits; whoever makes something ready
/// resumes the other. Both do so under one lock, so that none is left waiting.
final class Exchange: Sendable {
    let connection: ClientConnection
    let id: RequestID
    private let target: String
    private let start: UInt64
    private let state = Mutex(State())

    private enum BodyPhase {
        case unknown
        case none
        /// The header is here; the client may be waiting for `100 Continue` until the handler wants the body.
        case awaitingDemand
        case receiving
        case received
        case failed
    }

    private struct State {
        var handle: ConnectionHandle?
        var isSuspended = false
        var isAborted = false
        var method = HTTPMethod.get
        var response: HTTPResponse?
        var isAnswered = false
        var task: Task<Void, Never>?
        var pipe: ResponsePipe?
        var phase = BodyPhase.unknown
        /// The request's header, where it is one that was answered on this connection before.
        var knownHeader: RequestHeader?
        /// The client sends the body whatever it is answered, and so little of it that it is read even if nobody wants it: with what
        /// is left unread the connection is reset, and the answer may be lost.
        var isBodySureAndSmall = false
        var chunks: [[UInt8]] = []
        var queuedByteCount = 0
        var discardedByteCount = 0
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        var upgrade: WebSocketUpgrade?
        var sentStatus: HTTPStatus?
        var sentByteCount: Int?
        var metrics: RouteMetrics?

        /// Rests the connection until `wake`, or says that the exchange is to be given up.
        mutating func rest() -> MHD_Result {
            guard !isAborted, let handle else { return .NO }
            isSuspended = true
            handle.suspend()
            return .YES
        }

        mutating func wake() {
            guard isSuspended else { return }
            isSuspended = false
            handle?.resume()
        }

        /// Queues bytes, small pieces together: a body may come in chunks of one byte.
        mutating func queue(_ bytes: UnsafeRawBufferPointer) {
            if let last = chunks.indices.last, chunks[last].count < 16_384 {
                chunks[last].append(contentsOf: bytes)
            } else {
                chunks.append([UInt8](bytes))
            }
            queuedByteCount += bytes.count
        }

        mutating func takeChunk() -> [UInt8]? {
            guard !chunks.isEmpty else { return nil }
            let chunk = chunks.removeFirst()
            queuedByteCount -= chunk.count
            return chunk
        }
    }

    /// What is done with a body that no one wants, so that the client gets to read the response.
    private static let discardLimit = 4 << 20

    private var configuration: ServerConfiguration { connection.listener.configuration }

    init(connection: ClientConnection, target: String) {
        self.connection = connection
        self.target = target
        id = .next()
        start = connection.listener.measuresTime ? MonotonicClock.nanoseconds() : 0
    }

    // MARK: The library's thread

    /// Goes on with the exchange: called by the library for the header, for each piece of the body, for its end, and
    /// after each rest.
    func proceed(
        _ handle: ConnectionHandle, method: UnsafePointer<CChar>, upload: UnsafePointer<CChar>?,
        uploadByteCount: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        if let upload, uploadByteCount.pointee > 0 {
            let bytes = UnsafeRawBufferPointer(start: upload, count: uploadByteCount.pointee)
            return receive(bytes, uploadByteCount)
        }
        let phase = state.withLock { state in
            state.handle = handle
            return state.phase
        }
        switch phase {
        case .unknown: return receiveHeader(handle, method)
        case .none:
            guard state.withLock({ $0.response == nil && $0.task == nil && !$0.isAnswered }) else {
                return answer(handle)
            }
            return repeated(handle) ?? dispatch(makeRequest(handle, body: .empty), handle)
        case .awaitingDemand: return answer(handle)
        case .receiving:
            let reader = state.withLock { state in
                state.phase = .received
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
            return answer(handle)
        case .received: return answer(handle)
        case .failed: return .NO
        }
    }

    private func receiveHeader(_ handle: ConnectionHandle, _ method: UnsafePointer<CChar>) -> MHD_Result {
        let knownHeader = connection.headerHasArrived()
        // One that was answered before came without a body.
        if let knownHeader, strcmp(method, "GET") == 0, knownHeader.isSame(as: handle) {
            state.withLock { state in
                state.knownHeader = knownHeader
                state.phase = .none
            }
            return .YES
        }
        let length = handle.headerValue("Content-Length")
        let hasBody = (length != nil && length != "0") || handle.headerValue("Transfer-Encoding") != nil
        let waits = handle.headerValue("Expect") != nil
        state.withLock { state in
            state.isBodySureAndSmall =
                !waits && length.flatMap { Int($0) }.map { $0 <= Self.discardLimit } == true
            state.method = HTTPMethod(rawValue: String(cString: method))
            state.phase = hasBody ? .awaitingDemand : .none
        }
        // Without a body the library calls again at once; only an answer to that call keeps the connection alive.
        guard hasBody else { return .YES }
        let body = HTTPRequestBody(source: .connection(self), announcedByteCount: length.flatMap { Int($0) })
        return dispatch(makeRequest(handle, body: body), handle)
    }

    private func makeRequest(_ handle: ConnectionHandle, body: HTTPRequestBody) -> HTTPRequest {
        var request = HTTPRequest(
            method: state.withLock { $0.method }, target: target, fields: handle.requestFields(), body: body,
            remoteAddress: connection.address, id: id)
        request.isSecure = configuration.tls != nil
        return request
    }

    /// Starts the handler; answers if it is done when this returns.
    private func dispatch(_ request: HTTPRequest, _ handle: ConnectionHandle) -> MHD_Result {
        let responder = connection.listener.responder
        var request = request
        let route = responder.route(&request)
        let routed = request
        let work = { @Sendable in self.complete(await responder.respond(to: routed, by: route)) }
        let task =
            switch route.execution {
            case .inline: Task.immediate(executorPreference: HandlerExecutor.shared) { await work() }
            case .task: Task(executorPreference: HandlerExecutor.shared) { await work() }
            }
        state.withLock { state in
            state.task = task
            state.metrics = route.metrics
        }
        return answer(handle)
    }

    /// Answers if there is something to answer with; else rests, or lets the body come.
    private func answer(_ handle: ConnectionHandle) -> MHD_Result {
        var response: HTTPResponse?
        let result = state.withLock { state -> MHD_Result in
            if state.isAborted { return .NO }
            if state.response != nil, state.phase == .awaitingDemand, state.isBodySureAndSmall {
                state.phase = .receiving
                return .YES
            }
            if let ready = state.response {
                response = ready
                state.response = nil
                state.isAnswered = true
                return .YES
            }
            if state.isAnswered { return .YES }
            // The handler waits for the body: go on reading.
            if state.phase == .awaitingDemand, state.reader != nil {
                state.phase = .receiving
                return .YES
            }
            return state.rest()
        }
        guard let response else { return result }
        return send(response, handle)
    }

    private func send(_ response: HTTPResponse, _ handle: ConnectionHandle) -> MHD_Result {
        let method = state.withLock { state in
            state.sentStatus = response.status
            state.sentByteCount = response.body.byteCount
            if case .webSocket(let upgrade) = response.body { state.upgrade = upgrade }
            return state.method
        }
        guard
            let outgoing = OutgoingResponse(response, exchange: self, handle: handle, isHead: method == .head)
        else { return .NO }
        if let pipe = outgoing.pipe {
            let isAborted = state.withLock { state in
                state.pipe = pipe
                return state.isAborted
            }
            if isAborted { pipe.abort() }
        }
        let result = outgoing.queue(on: handle)
        if let repetition = response.repetition, result == MHD_Result.YES, outgoing.isInMemory,
            method == .get, state.withLock({ $0.phase == .none }), response.status == .ok,
            !connection.listener.isDraining
        {
            remember(outgoing, response, by: repetition, handle)
        }
        return result
    }

    /// Answers with what was answered to the same request before; nil where that cannot be.
    private func repeated(_ handle: ConnectionHandle) -> MHD_Result? {
        let listener = connection.listener
        guard let header = state.withLock({ $0.isAborted ? nil : $0.knownHeader }), !listener.isDraining,
            let answer = listener.responder.repeated.answer(to: target, header),
            let result = answer.queue(on: handle)
        else { return nil }
        state.withLock { state in
            state.isAnswered = true
            state.sentStatus = .ok
            state.sentByteCount = answer.byteCount
            state.metrics = answer.metrics
        }
        return result
    }

    /// Keeps an answer that may be repeated.
    private func remember(
        _ outgoing: consuming OutgoingResponse, _ response: HTTPResponse, by repetition: Repetition,
        _ handle: ConnectionHandle
    ) {
        let answer = RepeatedAnswer(
            outgoing, while: repetition.isRight, byteCount: response.body.byteCount,
            metrics: state.withLock { $0.metrics })
        repetition.keep(answer)
        connection.remember(
            connection.listener.responder.repeated.remember(answer, to: target, RequestHeader(handle)))
    }

    /// What the connection becomes once the response has gone out.
    var upgrade: WebSocketUpgrade? { state.withLock { $0.upgrade } }

    private func receive(_ bytes: UnsafeRawBufferPointer, _ remaining: UnsafeMutablePointer<Int>)
        -> MHD_Result
    {
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        let limit = configuration.bodyBufferLimit
        let result = state.withLock { state -> MHD_Result in
            if state.isAborted { return .NO }
            if state.response != nil {
                state.discardedByteCount += bytes.count
                remaining.pointee = 0
                return state.discardedByteCount <= Self.discardLimit ? .YES : .NO
            }
            if let waiting = state.reader {
                reader = waiting
                state.reader = nil
            } else if state.queuedByteCount >= limit {
                return state.rest()
            } else {
                state.queue(bytes)
            }
            remaining.pointee = 0
            return .YES
        }
        reader?.resume(returning: [UInt8](bytes))
        return result
    }

    /// The library is done with the exchange, whether the response went out or the connection ended.
    func end(isComplete: Bool) {
        let (reader, task, entry, pipe, metrics) = state.withLock { state in
            state.handle = nil
            state.isAborted = true
            if state.phase != .received { state.phase = .failed }
            defer {
                state.reader = nil
                state.task = nil
                state.pipe = nil
                state.response = nil
            }
            return (
                state.reader, state.isAnswered ? nil : state.task,
                (state.method, state.sentStatus, state.sentByteCount), state.pipe, state.metrics
            )
        }
        reader?.resume(throwing: Self.connectionClosed)
        task?.cancel()
        connection.end()
        let log = configuration.accessLog
        guard log != nil || metrics != nil else { return }
        let duration = MonotonicClock.nanoseconds() - start
        if let metrics {
            // Of an answer that was cut only a stream knows how much of it went out; what is left out is not sent.
            let isOmitted = entry.0 == .head || entry.1?.forbidsContent == true
            let byteCount = isOmitted ? 0 : pipe?.takenByteCount ?? (isComplete ? entry.2 ?? 0 : 0)
            metrics.count(
                status: entry.1, byteCount: byteCount,
                duration: entry.1 == .switchingProtocols ? nil : duration, isComplete: isComplete)
        }
        guard let log else { return }
        log(
            AccessLogEntry(
                id: id, remoteAddress: connection.address, method: entry.0,
                target: AccessLogEntry.redacted(target), status: entry.1, byteCount: entry.2,
                isComplete: isComplete, durationNanoseconds: duration))
    }

    // MARK: The handler's task

    private func complete(_ response: HTTPResponse) {
        state.withLock { state in
            if state.isAborted { return }
            state.response = response
            state.chunks = []
            state.queuedByteCount = 0
            state.wake()
        }
    }

    /// The next piece of the body, or nil at its end.
    func nextChunk() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let immediate = state.withLock { state -> Result<[UInt8]?, any Error>? in
                    if let chunk = state.takeChunk() {
                        if state.queuedByteCount < configuration.bodyBufferLimit / 2 { state.wake() }
                        return .success(chunk)
                    }
                    if state.phase == .received { return .success(nil) }
                    if state.isAborted || state.phase == .failed || state.phase == .none || state.isAnswered
                        || state.reader != nil || Task.isCancelled
                    {
                        return .failure(Self.connectionClosed)
                    }
                    state.reader = continuation
                    state.wake()
                    return nil
                }
                if let immediate { continuation.resume(with: immediate) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(throwing: CancellationError())
        }
    }

    // MARK: Any thread

    /// Gives the exchange up: the handler is cancelled, the connection is closed as soon as the library looks at it.
    func abort() {
        let (task, pipe, reader) = state.withLock { state in
            state.isAborted = true
            defer { state.reader = nil }
            let pipe = state.pipe
            state.wake()
            return (state.task, pipe, state.reader)
        }
        reader?.resume(throwing: Self.connectionClosed)
        task?.cancel()
        pipe?.abort()
    }

    static let connectionClosed = HTTPServerError(.connectionClosed, "The connection has ended.")
}
