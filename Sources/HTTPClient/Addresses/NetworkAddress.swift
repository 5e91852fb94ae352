internal import Glibc

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 16 bytes of an IPv6 address; IPv4 addresses are mapped (RFC 4291 §2.5.5.2).
    let bytes: [UInt8]

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    /// Creates an address from 4 or 16 bytes in network order; nil for another number of bytes.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = Self.mapped + bytes
        case 16: self.bytes = bytes
        default: return nil
        }
    }

    /// Parses the usual notation, such as `192.168.1.2` or `fd00::1`.
    package init?(_ text: String) {
        var address = in6_addr()
        var short = in_addr()
        if inet_pton(AF_INET, text, &short) == 1 {
            self.init(bytes: withUnsafeBytes(of: &short) { Array($0) })
        } else if inet_pton(AF_INET6, text, &address) == 1 {
            self.init(bytes: withUnsafeBytes(of: &address) { Array($0) })
        } else {
            return nil
        }
    }

    /// The four bytes of an IPv4 address; nil for IPv6.
    var ipv4: [UInt8]? { bytes.starts(with: Self.mapped) ? Array(bytes.suffix(4)) : nil }

    /// The IPv4 address that a translator or tunnel would send packets for this address to: NAT64 (RFC 6052 §2.1) and 6to4
    /// (RFC 3056 §2); nil for other addresses.
    var embedded: NetworkAddress? {
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return NetworkAddress(bytes: Array(bytes.suffix(4)))
        }
        return bytes.starts(with: [0x20, 0x02]) ? NetworkAddress(bytes: Array(bytes[2..<6])) : nil
    }

    /// The usual notation.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = ipv4 == nil ? AF_INET6 : AF_INET
        inet_ntop(family, ipv4 ?? bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
