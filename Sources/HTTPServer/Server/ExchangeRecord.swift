/// The facts about an exchange for the log and the metrics.
struct ExchangeRecord: Sendable {
    /// The identifier of the request in the log.
    let id: RequestID
    /// The request target, as sent.
    let target: String
    /// When the first line of the request arrived, by ``MonotonicClock``.
    let start: UInt64
    var method = HTTPMethod.get
    /// The client's address as reported by a proxy.
    var forwardedAddress: RemoteAddress?
    /// Counts the requests of the route; nil before routing, and without metrics.
    var metrics: RouteMetrics?
    /// The status of the response; nil if none was sent.
    private var status: HTTPStatus?
    /// The length of the response's content, if known.
    private var byteCount: Int?

    init(id: RequestID, target: String, start: UInt64) {
        self.id = id
        self.target = target
        self.start = start
    }

    /// Called when a response is sent.
    mutating func answer(_ response: HTTPResponse) {
        status = response.status
        byteCount = response.body.byteCount
    }

    /// Counts the exchange and writes the log entry when it has ended.
    ///
    /// - Parameters:
    ///   - end: When it ended, by ``MonotonicClock``.
    ///   - streamedByteCount: The number of bytes taken from a streamed response; nil for any other.
    ///   - isComplete: Whether the response was sent completely.
    ///   - address: The address of the connection.
    func write(
        to log: (@Sendable (AccessLogEntry) -> Void)?, end: UInt64, streamedByteCount: Int?,
        isComplete: Bool, address: RemoteAddress?
    ) {
        let duration = end - start
        if let metrics {
            // For an incomplete response, only a stream knows how many bytes were sent; omitted content is not sent at all.
            let isOmitted = method == .head || status?.forbidsContent == true
            let sent = isOmitted ? 0 : streamedByteCount ?? (isComplete ? byteCount ?? 0 : 0)
            metrics.count(
                status: status, byteCount: sent,
                duration: status == .switchingProtocols ? nil : duration, isComplete: isComplete)
        }
        log?(
            AccessLogEntry(
                id: id, remoteAddress: forwardedAddress ?? address, method: method,
                target: AccessLogEntry.redacted(target), status: status, byteCount: byteCount,
                isComplete: isComplete, durationNanoseconds: duration))
    }
}
