/// A service found on the local network.
package struct DiscoveredService: Sendable, Equatable {
    /// The name shown to people.
    package var name: String
    /// Its type, such as `_kanora._tcp`.
    package var type: String
    /// The host name of its machine, such as `attic.local`.
    package var hostName: String
    /// The numeric addresses at which it was found, IPv4 first.
    package var addresses: [String]
    /// Its TCP port.
    package var port: UInt16
    /// The keys of its TXT record. If a key occurs twice, the first one counts (RFC 6763, section 6.4).
    package var texts: [String: String]
}
