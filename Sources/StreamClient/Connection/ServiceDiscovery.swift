/// Browses the local network for services (DNS-SD, RFC 6763), with the means of a platform.
public protocol ServiceDiscovery: Sendable {
    /// Returns updates about the services of a type, such as `_http._tcp`; the search runs until the stream is terminated.
    func browse(_ type: String) -> AsyncStream<ServiceDiscoveryEvent>
}

/// An update from ``ServiceDiscovery``.
public enum ServiceDiscoveryEvent: Sendable, Equatable {
    /// All services available now.
    case services([ResolvedService])
    /// All services known at present have been reported; new ones follow as they appear.
    case allForNow
    /// Service discovery is unavailable, for the given reason.
    case unavailable(reason: String)
}

/// A service instance with the results of resolving it.
public struct ResolvedService: Sendable, Equatable {
    /// The instance name, for display.
    public var name: String
    /// The host name of its machine, such as `attic.local`.
    public var hostName: String
    /// The numeric addresses, preferred one first.
    public var addresses: [String]
    /// The TCP port.
    public var port: UInt16
    /// The keys and values of its TXT record.
    public var texts: [String: String]

    /// Creates a service from its parts.
    public init(name: String, hostName: String, addresses: [String], port: UInt16, texts: [String: String]) {
        self.name = name
        self.hostName = hostName
        self.addresses = addresses
        self.port = port
        self.texts = texts
    }
}
