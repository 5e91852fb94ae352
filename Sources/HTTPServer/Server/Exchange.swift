internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A request and its response on a connection, shared by the library's thread and the handler's task.
///
/// Three sides change its phase, each under the lock: the library's thread, which receives the request and sends the response;
/// the handler's task, which reads the body and returns the response; and the server, which may abort the exchange at any time.
/// The side that finds the other not ready suspends the connection or waits; the side that becomes ready resumes the other. Both
/// happen under the lock, so that no wakeup is lost. Continuations are resumed and tasks cancelled after it is released, because
/// both may run code that takes it.
final class Exchange: RequestBodySource {
    let connection: ClientConnection
    let id: RequestID
    /// The length of the target as sent, which may exceed that of the text.
    private let targetByteCount: Int
    private let state: Mutex<State>

    private struct State {
        var phase = ExchangePhase.receivingHeader
        /// Only used by the library's thread.
        var record: ExchangeRecord
    }

    init(connection: ClientConnection, target: String, targetByteCount: Int) {
        self.connection = connection
        self.targetByteCount = targetByteCount
        id = .next()
        let start = connection.listener.measuresTime ? MonotonicClock.nanoseconds() : 0
        state = Mutex(State(record: ExchangeRecord(id: id, target: target, start: start)))
    }

    // MARK: Library thread

    /// The next step of the library's thread.
    private enum Step {
        case readHeader
        case dispatch(HTTPFields)
        case answer
        /// The body is complete; a handler that waits for it is resumed.
        case endBody(RequestBodyQueue.Reader?)
        case close
    }

    /// Continues the exchange: called by the library for the header, for each piece of the body, at its end, and after each
    /// suspension.
    func proceed(
        _ handle: ConnectionHandle, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        upload: UnsafePointer<CChar>?, uploadByteCount: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        if let upload, uploadByteCount.pointee > 0 {
            let bytes = UnsafeRawBufferPointer(start: upload, count: uploadByteCount.pointee)
            return receive(bytes, uploadByteCount, handle)
        }
        switch state.withLock({ Self.next(&$0.phase) }) {
        case .readHeader: return readHeader(handle, method, version)
        case .dispatch(let fields): return dispatch(fields, .empty, nil, handle)
        case .answer: return answer(handle)
        case .endBody(let reader):
            reader?.resume(returning: nil)
            return answer(handle)
        case .close: return .NO
        }
    }

    /// Returns the next step for a call without bytes of the body.
    private static func next(_ phase: inout ExchangePhase) -> Step {
        switch phase {
        case .receivingHeader: return .readHeader
        case .headerAccepted(let fields): return .dispatch(fields)
        case .handling(let handling) where handling.body?.progress == .receiving:
            return .endBody(phase.whileHandling { $0.body?.end() } ?? nil)
        case .answered(let answered) where answered.body?.progress == .receiving:
            return .endBody(phase.whileAnswered { $0.body?.end() } ?? nil)
        case .handling, .answered, .sending: return .answer
        case .closed: return .close
        }
    }

    private func readHeader(
        _ handle: ConnectionHandle, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>
    ) -> MHD_Result {
        connection.headerHasArrived()
        var fault: String?
        let header = handle.header(
            targetByteCount: targetByteCount, method: method, version: version, fault: &fault)
        let isOpen = state.withLock { state in
            state.record.method = HTTPMethod(rawValue: String(cString: method))
            guard case .receivingHeader = state.phase else { return false }
            if fault == nil, !header.hasBody { state.phase = .headerAccepted(header.fields) }
            return true
        }
        guard isOpen else { return .NO }
        if let fault { return refuse(handle, fault) }
        // Without a body, the library calls again at once; only a response to that call keeps the connection alive.
        guard header.hasBody else { return .YES }
        return dispatch(
            header.fields,
            HTTPRequestBody(source: .connection(self), announcedByteCount: header.announcedByteCount),
            RequestBodyQueue(header, limit: connection.listener.configuration.bodyBufferLimit), handle)
    }

    /// Rejects a request whose end is ambiguous, and closes the connection: the following bytes may be its body.
    private func refuse(_ handle: ConnectionHandle, _ fault: String) -> MHD_Result {
        var response = ErrorPages.malformed(fault).plainResponse
        response.fields.append(HTTPField(.connection, "close"))
        let isOpen = state.withLock { state in
            state.record.metrics = connection.listener.responder.metrics?.unmatched
            return Self.begin(&state, sending: response)
        }
        return isOpen ? send(response, handle) : .NO
    }

    /// Answers the request at once if its route can; otherwise starts its handler.
    private func dispatch(
        _ fields: HTTPFields, _ body: HTTPRequestBody, _ queue: RequestBodyQueue?, _ handle: ConnectionHandle
    ) -> MHD_Result {
        let responder = connection.listener.responder
        var request = makeRequest(fields, body)
        let route = responder.route(&request)
        var routed = RoutedRequest(consume request, route)
        let response = responder.respondImmediately(to: &routed)
        let isOpen = state.withLock { state in
            state.record.metrics = route.metrics
            if case .closed = state.phase { return false }
            if let response, queue == nil { return Self.begin(&state, sending: response) }
            let handling = ExchangePhase.Handling(body: queue)
            state.phase = response.map { .answered(handling.answer($0)) } ?? .handling(handling)
            return true
        }
        guard isOpen else { return .NO }
        guard let response else {
            start(routed)
            return answer(handle)
        }
        return queue == nil ? send(response, handle) : answer(handle)
    }

    private func makeRequest(_ fields: HTTPFields, _ body: HTTPRequestBody) -> HTTPRequest {
        let address = connection.clientAddress(fields)
        let (method, target) = state.withLock { state in
            state.record.forwardedAddress = address
            return (state.record.method, state.record.target)
        }
        var request = HTTPRequest(
            method: method, target: target, fields: fields, body: body, remoteAddress: address, id: id)
        request.isSecure = connection.listener.isSecure
        return request
    }

    /// Starts the handler. The phase is already `handling`.
    private func start(_ routed: RoutedRequest) {
        let responder = connection.listener.responder
        let work = { @Sendable in self.complete(await responder.respond(to: routed)) }
        let task =
            switch routed.route.handler.execution {
            case .inline: Task.immediate(executorPreference: HandlerExecutor.shared) { await work() }
            case .task: Task(executorPreference: HandlerExecutor.shared) { await work() }
            }
        let isAborted = state.withLock { state in
            _ = state.phase.whileHandling { $0.task = task }
            if case .closed = state.phase { return true }
            return false
        }
        if isAborted { task.cancel() }
    }

    /// Answers if a response is ready; otherwise suspends the connection, or continues receiving the body.
    private func answer(_ handle: ConnectionHandle) -> MHD_Result {
        var ready: HTTPResponse?
        let result = state.withLock { state -> MHD_Result in
            switch state.phase {
            case .handling:
                _ = state.phase.whileHandling { $0.continueOrSuspend(handle) }
            case .answered(let answered):
                if answered.receivesRest {
                    _ = state.phase.whileAnswered { $0.body?.begin() }
                } else {
                    ready = answered.response
                    _ = Self.begin(&state, sending: answered.response)
                }
            case .sending(let sending): return sending.isAborted ? .NO : .YES
            case .receivingHeader, .headerAccepted, .closed: return .NO
            }
            return .YES
        }
        guard let ready else { return result }
        return send(ready, handle)
    }

    /// Enters the phase `sending`.
    /// - Returns: Whether the exchange is still open.
    private static func begin(_ state: inout State, sending response: HTTPResponse) -> Bool {
        if case .closed = state.phase { return false }
        state.record.answer(response)
        state.phase = .sending(ExchangePhase.Sending(response))
        return true
    }

    /// Passes the response to the library. The phase is already `sending`.
    private func send(_ response: HTTPResponse, _ handle: ConnectionHandle) -> MHD_Result {
        guard let outgoing = OutgoingResponse(response, exchange: self, handle: handle) else { return .NO }
        if let pipe = outgoing.pipe {
            let isAborted = state.withLock { state in
                guard case .sending(var sending) = state.phase else { return true }
                sending.continuation = .stream(pipe)
                state.phase = .sending(sending)
                return sending.isAborted
            }
            if isAborted { pipe.abort() }
        }
        return outgoing.queue(on: handle)
    }

    /// Whether the response to the request has no content because of its method.
    var isHead: Bool { state.withLock { $0.record.method == .head } }

    /// Whether the request's header is incomplete or has not been processed.
    var awaitsHeader: Bool {
        state.withLock { state in
            if case .receivingHeader = state.phase { true } else { false }
        }
    }

    /// Called when the library has rejected the request itself.
    func answeredByLibrary(_ response: HTTPResponse) {
        state.withLock { state in
            state.record.answer(response)
            if state.record.metrics == nil {
                state.record.metrics = connection.listener.responder.metrics?.unmatched
            }
        }
    }

    /// The upgrade to perform once the response has been sent.
    var upgrade: WebSocketUpgrade? {
        state.withLock { state in
            guard case .sending(let sending) = state.phase, case .upgrade(let upgrade) = sending.continuation
            else { return nil }
            return upgrade
        }
    }

    private func receive(
        _ bytes: UnsafeRawBufferPointer, _ remaining: UnsafeMutablePointer<Int>, _ handle: ConnectionHandle
    ) -> MHD_Result {
        var reader: RequestBodyQueue.Reader?
        let result = state.withLock { state -> MHD_Result in
            switch state.phase {
            case .handling:
                switch state.phase.whileHandling({ $0.receive(bytes, handle) }) {
                // The library keeps the bytes and passes them again.
                case .full: return .YES
                case .wanted(let waiting): reader = waiting
                case .queued, nil: break
                }
            case .answered:
                guard state.phase.whileAnswered({ $0.body?.discard(bytes.count) }) == true else {
                    return .NO
                }
            case .sending: break
            case .receivingHeader, .headerAccepted, .closed: return .NO
            }
            remaining.pointee = 0
            return .YES
        }
        reader?.resume(returning: [UInt8](bytes))
        return result
    }

    /// Called when the library is done with the exchange, whether the response was sent or the connection ended.
    func end(isComplete: Bool) {
        let (phase, record) = state.withLock { state in
            defer { state.phase = .closed }
            return (state.phase, state.record)
        }
        var pipe: ResponsePipe?
        switch phase {
        case .handling(var handling):
            handling.body?.takeReader()?.resume(throwing: HTTPServerError.connectionClosed)
            handling.task?.cancel()
        case .sending(let sending): pipe = sending.pipe
        case .receivingHeader, .headerAccepted, .answered, .closed: break
        }
        let now = MonotonicClock.nanoseconds()
        connection.end(at: now)
        let log = connection.listener.configuration.accessLog
        guard log != nil || record.metrics != nil else { return }
        record.write(
            to: log, end: now, streamedByteCount: pipe?.takenByteCount, isComplete: isComplete,
            address: connection.address)
    }

    // MARK: Handler task

    private func complete(_ response: HTTPResponse) {
        state.withLock { state in
            // The exchange may have been aborted.
            guard case .handling(let handling) = state.phase else { return }
            state.phase = .answered(handling.answer(response))
        }
    }

    /// Returns the next piece of the body, or nil at its end.
    func nextChunk() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let immediate = state.withLock { state -> Result<[UInt8]?, any Error>? in
                    // Another phase: the handler has finished, or the exchange was aborted.
                    state.phase.whileHandling { $0.read(continuation) }
                        ?? .failure(HTTPServerError.connectionClosed)
                }
                if let immediate { continuation.resume(with: immediate) }
            }
        } onCancel: {
            takeReader()?.resume(throwing: CancellationError())
        }
    }

    private func takeReader() -> RequestBodyQueue.Reader? {
        state.withLock { $0.phase.whileHandling { $0.body?.takeReader() } ?? nil }
    }

    // MARK: Any thread

    /// Aborts the exchange: the handler is cancelled, and the connection is closed as soon as the library processes it.
    func abort() {
        let phase = state.withLock { state in
            switch state.phase {
            case .handling(var handling):
                handling.wake()
                state.phase = .closed
                return ExchangePhase.handling(handling)
            case .sending(var sending):
                sending.isAborted = true
                state.phase = .sending(sending)
            case .receivingHeader, .headerAccepted, .answered, .closed: state.phase = .closed
            }
            return state.phase
        }
        switch phase {
        case .handling(var handling):
            handling.body?.takeReader()?.resume(throwing: HTTPServerError.connectionClosed)
            handling.task?.cancel()
        case .sending(let sending): sending.pipe?.abort()
        case .receivingHeader, .headerAccepted, .answered, .closed: break
        }
    }

}
