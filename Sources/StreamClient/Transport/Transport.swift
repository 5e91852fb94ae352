/// Sends HTTP requests. With ``WebSocketConnector``, the only network access of this module: a platform supplies both, and
/// tests replace them.
public protocol Transport: Sendable {
    /// Sends a request, and returns as soon as the response head has arrived; the body is streamed.
    ///
    /// A response of any status is returned. Cancelling the waiting task or releasing the response's body cancels the
    /// request.
    /// - Throws: if there is no response.
    func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
