internal import Glibc

/// The address of a client.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// The IP address, such as `192.168.1.20` or `fe80::1`; IPv4 addresses that arrive on an IPv6 socket are in IPv4 form.
    package let host: String
    /// The port.
    package let port: UInt16

    /// Creates an address.
    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses an IP address as written by a proxy: surrounding spaces and IPv6 brackets are allowed, and the port is ignored.
    ///
    /// - Returns: The address in the form used for connections; nil for any other text.
    package init?(numbers text: Substring) {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        if text.first == "[", let end = text.firstIndex(of: "]") { text = text[..<end].dropFirst() }
        let host = String(text)
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 {
            self.init(host: host, port: 0)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            var full = sockaddr_in6()
            full.sin6_family = sa_family_t(AF_INET6)
            full.sin6_addr = six
            let address = withUnsafePointer(to: &full) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { RemoteAddress($0) }
            }
            guard let address else { return nil }
            self.init(host: address.host, port: 0)
        } else {
            return nil
        }
    }

    /// The address with its port.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
