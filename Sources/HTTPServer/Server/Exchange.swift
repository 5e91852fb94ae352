internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A request and its response on a connection, shared by the library's thread and the handler's task.
///
/// The side that finds the other not ready suspends the connection or waits; the side that becomes ready resumes the other.
/// Both happen under one lock, so that no wakeup is lost.
final class Exchange: Sendable {
    let connection: ClientConnection
    let id: RequestID
    private let target: String
    /// The length of the target as sent, which may exceed that of the text.
    private let targetByteCount: Int
    private let start: UInt64
    private let state = Mutex(State())

    private enum BodyPhase {
        case unknown
        case none
        /// The header has arrived; the client may be waiting for `100 Continue` until the handler reads the body.
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
        /// The client's address as reported by a proxy.
        var forwardedAddress: RemoteAddress?
        var response: HTTPResponse?
        var isAnswered = false
        var task: Task<Void, Never>?
        var pipe: ResponsePipe?
        var phase = BodyPhase.unknown
        /// Whether the client sends the body regardless of the response, and it is so small that it is read even if the
        /// handler does not: unread data would reset the connection, and the response might be lost.
        var isBodySureAndSmall = false
        var chunks: [[UInt8]] = []
        var queuedByteCount = 0
        var discardedByteCount = 0
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        var upgrade: WebSocketUpgrade?
        var sentStatus: HTTPStatus?
        var sentByteCount: Int?
        var metrics: RouteMetrics?

        /// Suspends the connection until `wake`; returns NO if the exchange is aborted.
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

        /// Queues bytes, merging small pieces: a body may arrive in chunks of one byte.
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

    /// Maximum number of bytes of an unwanted body that are discarded so that the client can read the response.
    private static let discardLimit = 4 << 20

    private var configuration: ServerConfiguration { connection.listener.configuration }

    init(connection: ClientConnection, target: String, targetByteCount: Int) {
        self.connection = connection
        self.targetByteCount = targetByteCount
        self.target = target
        id = .next()
        start = connection.listener.measuresTime ? MonotonicClock.nanoseconds() : 0
    }

    // MARK: Library thread

    /// Continues the exchange: called by the library for the header, for each piece of the body, at its end, and after each
    /// suspension.
    func proceed(
        _ handle: ConnectionHandle, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        upload: UnsafePointer<CChar>?, uploadByteCount: UnsafeMutablePointer<Int>
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
        case .unknown: return receiveHeader(handle, method, version)
        case .none:
            guard state.withLock({ $0.response == nil && $0.task == nil && !$0.isAnswered }) else {
                return answer(handle)
            }
            return dispatch(makeRequest(handle, body: .empty), handle)
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

    private func receiveHeader(
        _ handle: ConnectionHandle, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.headerHasArrived()
        if let fault = handle.framingFault(
            targetByteCount: targetByteCount, method: method, version: version)
        {
            return refuse(handle, method, fault)
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
        // Without a body, the library calls again at once; only a response to that call keeps the connection alive.
        guard hasBody else { return .YES }
        let body = HTTPRequestBody(source: .connection(self), announcedByteCount: length.flatMap { Int($0) })
        return dispatch(makeRequest(handle, body: body), handle)
    }

    /// Rejects a request whose end is ambiguous, and closes the connection: the following bytes may be its body.
    private func refuse(_ handle: ConnectionHandle, _ method: UnsafePointer<CChar>, _ fault: String)
        -> MHD_Result
    {
        state.withLock { state in
            state.method = HTTPMethod(rawValue: String(cString: method))
            state.phase = .none
            state.isAnswered = true
            state.metrics = connection.listener.responder.metrics?.unmatched
        }
        var response = ErrorPages.malformed(fault).plainResponse
        response.fields.append(HTTPField(.connection, "close"))
        return send(response, handle)
    }

    /// Whether the request's header is incomplete or has not been processed.
    var awaitsHeader: Bool { state.withLock { $0.phase == .unknown } }

    /// Called when the library has rejected the request itself.
    func answeredByLibrary(_ response: HTTPResponse) {
        state.withLock { state in
            state.sentStatus = response.status
            state.sentByteCount = response.body.byteCount
            if state.metrics == nil { state.metrics = connection.listener.responder.metrics?.unmatched }
        }
    }

    private func makeRequest(_ handle: ConnectionHandle, body: HTTPRequestBody) -> HTTPRequest {
        let fields = handle.requestFields()
        let address = connection.clientAddress(fields)
        let method = state.withLock { state in
            state.forwardedAddress = address
            return state.method
        }
        var request = HTTPRequest(
            method: method, target: target, fields: fields, body: body,
            remoteAddress: address, id: id)
        request.isSecure = configuration.tls != nil
        return request
    }

    /// Starts the handler; answers if it has finished when this returns.
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

    /// Answers if a response is ready; otherwise suspends the connection, or continues receiving the body.
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
            // The handler waits for the body: continue reading.
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
        return outgoing.queue(on: handle)
    }

    /// The upgrade to perform once the response has been sent.
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

    /// Called when the library is done with the exchange, whether the response was sent or the connection ended.
    func end(isComplete: Bool) {
        let (reader, task, entry, pipe, metrics, address) = state.withLock { state in
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
                (state.method, state.sentStatus, state.sentByteCount), state.pipe, state.metrics,
                state.forwardedAddress
            )
        }
        reader?.resume(throwing: Self.connectionClosed)
        task?.cancel()
        connection.end()
        let log = configuration.accessLog
        guard log != nil || metrics != nil else { return }
        let duration = MonotonicClock.nanoseconds() - start
        if let metrics {
            // For an incomplete response, only a stream knows how many bytes were sent; omitted content is not sent at all.
            let isOmitted = entry.0 == .head || entry.1?.forbidsContent == true
            let byteCount = isOmitted ? 0 : pipe?.takenByteCount ?? (isComplete ? entry.2 ?? 0 : 0)
            metrics.count(
                status: entry.1, byteCount: byteCount,
                duration: entry.1 == .switchingProtocols ? nil : duration, isComplete: isComplete)
        }
        guard let log else { return }
        log(
            AccessLogEntry(
                id: id, remoteAddress: address ?? connection.address, method: entry.0,
                target: AccessLogEntry.redacted(target), status: entry.1, byteCount: entry.2,
                isComplete: isComplete, durationNanoseconds: duration))
    }

    // MARK: Handler task

    private func complete(_ response: HTTPResponse) {
        state.withLock { state in
            if state.isAborted { return }
            state.response = response
            state.chunks = []
            state.queuedByteCount = 0
            state.wake()
        }
    }

    /// Returns the next piece of the body, or nil at its end.
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

    /// Aborts the exchange: the handler is cancelled, and the connection is closed as soon as the library processes it.
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

    static let connectionClosed = HTTPServerError(.connectionClosed, "connection closed")
}
