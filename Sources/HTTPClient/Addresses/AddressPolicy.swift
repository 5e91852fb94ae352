/// The addresses that requests on behalf of users may connect to: those of the public internet, and of networks that the owner has
/// listed. Otherwise a user could reach services of the host's own network through it.
package struct AddressPolicy: Sendable {
    private let allowed: [NetworkRange]

    /// - Parameter allowed: networks to allow although they are not public.
    package init(allowed: [NetworkRange] = []) { self.allowed = allowed }

    /// Whether connections to an address are allowed.
    package func permits(_ address: NetworkAddress) -> Bool {
        if allowed.contains(where: { $0.contains(address) }) { return true }
        if let embedded = address.embedded { return permits(embedded) }
        guard address.ipv4 == nil else { return !Self.special.contains { $0.contains(address) } }
        return Self.global.contains { $0.contains(address) }
            && !Self.special.contains { $0.contains(address) }
    }

    /// The only IPv6 addresses that are assigned for global use (RFC 4291 §2.4).
    private static let global = ranges("2000::/3")

    /// Addresses that are not global, from IANA's registries of special-purpose IPv4 and IPv6 addresses (RFC 6890), multicast, and
    /// an address at which a cloud provider serves its machines' secrets.
    private static let special = ranges(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
        "2001::/23", "2001:db8::/32", "3fff::/20")

    private static func ranges(_ texts: String...) -> [NetworkRange] { texts.compactMap { NetworkRange($0) } }
}
