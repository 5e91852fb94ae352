/// Creates the sources of items.
struct SourceFactory: Sendable {
    let transport: any Transport
    let timeouts: TransportTimeouts
    let traffic: TrafficMeter
    let governor: QualityGovernor
    let clock: PlaybackClock
    let locator: (any MediaLocator)?

    /// Returns the source of an item.
    func source(of item: PlayableItem) -> any MediaSource {
        if let locator { return LocatedSource(item, locator, self) }
        return source(at: item.location)
    }

    /// Returns the source for a location.
    func source(at location: PlayableItem.Location) -> any MediaSource {
        switch location {
        case .file(let path): ProgressiveSource(resource: FileResource(path: path))
        case .address(let address, let fields): AddressSource(address, fields: fields, maker: self)
        }
    }

    /// Returns a resource on a server.
    func resource(_ address: String, _ fields: TransportFields) -> HTTPResource {
        HTTPResource(
            address, fields: fields, transport: transport, timeouts: timeouts, traffic: traffic)
    }
}
