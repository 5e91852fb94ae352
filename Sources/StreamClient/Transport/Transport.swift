/// Asks servers: the only way to the network that the client's parts know, so that tests can put another in its place.
public protocol Transport: Sendable {
    /// Asks for an address, and returns as soon as the answer's head is there; the content comes as it is read.
    ///
    /// An answer of any status is an answer. Cancelling the task that waits cancels the request; letting go of the response's
    /// body does so too.
    /// - Throws: where there is no answer.
    func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
