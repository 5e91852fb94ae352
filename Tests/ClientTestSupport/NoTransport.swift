package import StreamClient

/// A transport without a network.
package struct NoTransport: Transport {
    package init() {}

    package func fetch(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw TransportError(.unreachable, "no network")
    }
}
