internal import Discovery
public import StreamClient

/// Service discovery through the Avahi daemon.
public struct AvahiDiscovery: ServiceDiscovery {
    /// Creates a connection to the system's daemon for each search.
    public init() {}

    /// Browses for services of a type; see ``ServiceDiscovery/browse(_:)``. If the daemon is not running, the search starts as
    /// soon as it does.
    public func browse(_ type: String) -> AsyncStream<ServiceDiscoveryEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let browser = ServiceBrowser(type: type) { event in
                switch event {
                case .services(let services):
                    continuation.yield(.services(services.map(ResolvedService.init)))
                case .allForNow: continuation.yield(.allForNow)
                case .unavailable(let reason): continuation.yield(.unavailable(reason: reason))
                }
            }
            continuation.onTermination = { _ in browser.end() }
        }
    }
}

extension ResolvedService {
    fileprivate init(_ service: DiscoveredService) {
        self.init(
            name: service.name, hostName: service.hostName, addresses: service.addresses,
            port: service.port, texts: service.texts)
    }
}

extension HostDiscovery {
    /// Creates a search through the Avahi daemon.
    public init() { self.init(AvahiDiscovery()) }
}
