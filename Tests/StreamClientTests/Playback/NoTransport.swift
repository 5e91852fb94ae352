import StreamClient

/// A network that is not there.
struct NoTransport: Transport {
    func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw TransportError(.unreachable, "there is no network")
    }
}
