import Discovery
import Glibc

/// Network addresses of this machine.
enum LocalNetwork {
    /// Wildcard addresses, which stand for all addresses of a machine.
    static let wildcards: Set<String> = ["0.0.0.0", "::"]

    /// Whether an address is only reachable from this machine.
    static func isLoopback(_ host: String) -> Bool { host.hasPrefix("127.") || host == "::1" }

    /// Returns the address at which others in the network reach this machine: the source address of outgoing
    /// traffic. Nil if there are only loopback addresses.
    static func address() -> String? {
        // Documentation addresses (RFC 5737, RFC 3849) are never local, so they select the default route.
        // Connecting a datagram socket sends nothing.
        for host in [source(towards: "192.0.2.1"), source(towards: "2001:db8::1")] {
            if let host, !isLoopback(host) { return host }
        }
        return interfaces().map(\.address).filter { !isLoopback($0) && !$0.hasPrefix("fe80:") }
            .min { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
    }

    /// Returns the interface with an address, so that the host is only announced there.
    static func place(of host: String) -> ServiceAnnouncement.Place {
        if wildcards.contains(host) {
            return ServiceAnnouncement.Place(interface: nil, isIPv6: host == "::" ? nil : false)
        }
        let interface = interfaces().first { $0.address == host }?.index
        return ServiceAnnouncement.Place(interface: interface, isIPv6: host.contains(":"))
    }

    private static func interfaces() -> [(address: String, index: Int32)] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(address: String, index: Int32)] = []
        var next = list
        while let entry = next?.pointee {
            if entry.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.ifa_addr,
                let text = text(of: address)
            {
                found.append((text, Int32(if_nametoindex(entry.ifa_name))))
            }
            next = entry.ifa_next
        }
        return found
    }

    private static func source(towards target: String) -> String? {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var result: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target, "9", &hints, &result) == 0, let found = result else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            found.pointee.ai_family, found.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? text(of: address) : nil
            }
        }
    }

    private static func text(of address: UnsafePointer<sockaddr>) -> String? {
        let family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
