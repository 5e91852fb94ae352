/// A service found on the local network.
public struct DiscoveredService: Sendable, Equatable {
    /// The name shown to people.
    public var name: String
    /// Its type, such as `_kanora._tcp`.
    public var type: String
    /// The host name of its machine, such as `attic.local`.
    public var hostName: String
    /// The numeric addresses at which it was found, IPv4 first.
    public var addresses: [String]
    /// Its TCP port.
    public var port: UInt16
    /// The keys of its TXT record. If a key occurs twice, the first one counts (RFC 6763, section 6.4).
    public var texts: [String: String]
}
