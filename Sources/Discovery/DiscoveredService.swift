/// A service that was found on the local network.
public struct DiscoveredService: Sendable, Equatable {
    /// The name that people see.
    public var name: String
    /// Its type, such as `_kanora._tcp`.
    public var type: String
    /// Name of its machine, such as `attic.local`.
    public var hostName: String
    /// The addresses it was found at, in numbers, IPv4 first.
    public var addresses: [String]
    /// Its TCP port.
    public var port: UInt16
    /// What its TXT record says. Of a key that is there twice, the first counts (RFC 6763, section 6.4).
    public var texts: [String: String]
}
