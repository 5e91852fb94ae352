internal import MusicShared

/// A host found on the local network.
public struct DiscoveredHost: Sendable, Equatable {
    /// The host's display name.
    public var name: String
    /// The host's addresses: IP addresses, preferred one first, then its name.
    public var addresses: [HostAddress]
    /// Whether the host requires an API key.
    public var needsKey: Bool
    /// The host's protocol version; nil if it does not announce one.
    public var protocolVersion: Int?
}

/// Discovers hosts on the local network.
public struct HostDiscovery: Sendable {
    /// The DNS-SD service type of hosts (RFC 6763).
    public static let serviceType = "_kanora._tcp"

    /// An update from the search.
    public enum Event: Sendable, Equatable {
        /// All hosts currently available, by name.
        case hosts([DiscoveredHost])
        /// All hosts known at present have been reported; new ones follow as they appear.
        case allForNow
        /// The discovery service is unavailable, for the given reason.
        case unavailable(String)
    }

    private let discovery: any ServiceDiscovery

    /// Creates a search that uses the service discovery of a platform.
    public init(_ discovery: any ServiceDiscovery) { self.discovery = discovery }

    /// Returns a stream of updates; the search runs until the stream is terminated.
    public func events() -> AsyncStream<Event> {
        let updates = discovery.browse(Self.serviceType)
        return AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let search = Task {
                for await update in updates {
                    switch update {
                    case .services(let services):
                        continuation.yield(.hosts(services.map(Self.host).sorted { $0.name < $1.name }))
                    case .allForNow: continuation.yield(.allForNow)
                    case .unavailable(let reason): continuation.yield(.unavailable(reason))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in search.cancel() }
        }
    }

    private static func host(_ service: ResolvedService) -> DiscoveredHost {
        let isEncrypted = service.texts["tls"] == "1"
        let names = service.addresses + [service.hostName]
        return DiscoveredHost(
            name: service.name,
            addresses: names.filter { !$0.isEmpty }.map {
                HostAddress(name: $0, port: service.port, isEncrypted: isEncrypted)
            }, needsKey: service.texts["auth"] != "none",
            protocolVersion: service.texts["proto"].flatMap { Int($0) })
    }
}
