/// The phases of an exchange. The payload of each is what exists only in that phase; its methods are the possible transitions.
///
///     receivingHeader → headerAccepted → handling → answered → sending → closed
///
/// A request with a body skips `headerAccepted`; one that is rejected or answered at once also skips `handling`. Any phase may
/// be followed by `closed`.
enum ExchangePhase: Sendable {
    /// The header is incomplete or has not been checked.
    case receivingHeader
    /// The header of a request without a body was accepted; the library calls again for the response.
    case headerAccepted(HTTPFields)
    /// The handler is running.
    indirect case handling(Handling)
    /// The handler has finished; the library has not taken its response yet.
    indirect case answered(Answered)
    /// The library sends the response.
    case sending(Sending)
    /// The connection has ended, or ends as soon as the library processes it.
    case closed

    /// Changes the payload of `handling` in place.
    /// - Returns: The result of `body`; nil in any other phase.
    mutating func whileHandling<Result>(_ body: (inout Handling) -> Result) -> Result? {
        guard case .handling(var handling) = self else { return nil }
        // The only reference to the queue of the body: it would be copied otherwise.
        self = .closed
        defer { self = .handling(handling) }
        return body(&handling)
    }

    /// Changes the payload of `answered` in place.
    /// - Returns: The result of `body`; nil in any other phase.
    mutating func whileAnswered<Result>(_ body: (inout Answered) -> Result) -> Result? {
        guard case .answered(var answered) = self else { return nil }
        defer { self = .answered(answered) }
        return body(&answered)
    }

    struct Handling: Sendable {
        /// The body, unless the request has none.
        var body: RequestBodyQueue?
        /// The handler's task, once it has been created.
        var task: Task<Void, Never>?
        private var suspended: ConnectionHandle?

        init(body: RequestBodyQueue?) { self.body = body }

        /// Continues receiving if the handler waits for the body; otherwise suspends the connection until there is
        /// something to do.
        mutating func continueOrSuspend(_ handle: ConnectionHandle) {
            if body?.progress == .awaitingDemand, body?.isWanted == true {
                body?.begin()
            } else {
                suspend(handle)
            }
        }

        /// Takes bytes of the body; suspends the connection if there is no room.
        mutating func receive(_ bytes: UnsafeRawBufferPointer, _ handle: ConnectionHandle)
            -> RequestBodyQueue.Receipt
        {
            let receipt = body?.receive(bytes) ?? .queued
            if case .full = receipt { suspend(handle) }
            return receipt
        }

        /// Reads the body for the current task. Without a result, `reader` is resumed later.
        mutating func read(_ reader: RequestBodyQueue.Reader) -> Result<[UInt8]?, any Error>? {
            guard body != nil else { return .failure(HTTPServerError.connectionClosed) }
            let result = body?.read(reader)
            // The task was cancelled before the reader was stored.
            if result == nil, Task.isCancelled, body?.takeReader() != nil {
                return .failure(HTTPServerError.connectionClosed)
            }
            if body?.needsMore == true { wake() }
            return result
        }

        private mutating func suspend(_ handle: ConnectionHandle) {
            suspended = handle
            handle.suspend()
        }

        /// Resumes the connection if it is suspended.
        mutating func wake() {
            suspended?.resume()
            suspended = nil
        }

        /// The handler has finished.
        consuming func answer(_ response: HTTPResponse) -> Answered {
            wake()
            body?.drop()
            return Answered(response: response, body: body)
        }
    }

    struct Answered: Sendable {
        let response: HTTPResponse
        /// The unread rest of the body, which may have to be received before the response can be sent.
        var body: RequestBodyQueue?

        /// Whether the rest of the body must be received before the response is sent.
        var receivesRest: Bool {
            body.map { $0.progress == .awaitingDemand && $0.isSureAndSmall } ?? false
        }
    }

    struct Sending: Sendable {
        /// The use of the connection after the header.
        enum Continuation: Sendable {
            case none
            case stream(ResponsePipe)
            indirect case upgrade(WebSocketUpgrade)
        }

        var continuation = Continuation.none
        /// Whether the response must not be completed.
        var isAborted = false

        init(_ response: HTTPResponse) {
            if case .webSocket(let upgrade as WebSocketUpgrade) = response.body {
                continuation = .upgrade(upgrade)
            }
        }

        /// The source of a streamed response.
        var pipe: ResponsePipe? {
            if case .stream(let pipe) = continuation { pipe } else { nil }
        }
    }
}
