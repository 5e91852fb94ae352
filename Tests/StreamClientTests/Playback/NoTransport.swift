import StreamClient

/// A transport without a network.
struct NoTransport: Transport {
    func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw TransportError(.unreachable, "no network")
    }
}
