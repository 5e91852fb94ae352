/// Where a connection comes from.
public struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in numbers, such as `192.168.1.20` or `fe80::1`; IPv4 addresses that arrive on an IPv6 socket
    /// have the IPv4 form.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Makes an address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The address with its port.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
