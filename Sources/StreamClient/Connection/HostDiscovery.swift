internal import Discovery
internal import MusicShared

/// A host that was found in the local network.
public struct DiscoveredHost: Sendable, Equatable {
    /// What people call it.
    public var name: String
    /// Where it listens: its numbers, IPv4 first, then its name.
    public var addresses: [HostAddress]
    /// Whether it asks for a key.
    public var needsKey: Bool
    /// The version of the protocol that it speaks; nil where it does not say.
    public var protocolVersion: Int?
}

/// Looks for hosts in the local network, through the system's service discovery.
public enum HostDiscovery {
    /// The type that hosts announce themselves as (RFC 6763).
    public static let serviceType = "_kanora._tcp"

    /// What a search tells.
    public enum News: Sendable, Equatable {
        /// All hosts that are there now, by name.
        case hosts([DiscoveredHost])
        /// Those that are there were told; later ones are told when they come.
        case allForNow
        /// Nobody can be asked at the moment, and why.
        case unavailable(String)
    }

    /// Looks for hosts for as long as somebody listens.
    public static func news() -> AsyncStream<News> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let browser = ServiceBrowser(type: serviceType) { event in
                switch event {
                case .services(let services): continuation.yield(.hosts(services.map(host)))
                case .allForNow: continuation.yield(.allForNow)
                case .unavailable(let reason): continuation.yield(.unavailable(reason))
                }
            }
            continuation.onTermination = { _ in browser.end() }
        }
    }

    static func host(_ service: DiscoveredService) -> DiscoveredHost {
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
