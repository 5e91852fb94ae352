/// Connections and measurements that all sources of an engine share.
struct StreamContext: Sendable {
    let transport: any Transport
    let timeouts: TransportTimeouts
    let traffic: TrafficMeter
    let governor: QualityGovernor
    let clock: PlaybackClock

    /// Returns a resource on a server.
    func resource(_ address: String, _ fields: TransportFields) -> HTTPResource {
        HTTPResource(
            address, fields: fields, transport: transport, timeouts: timeouts, traffic: traffic)
    }
}
