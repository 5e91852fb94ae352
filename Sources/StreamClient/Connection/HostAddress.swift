internal import Foundation
public import MusicShared

/// The network address of a host.
public struct HostAddress: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Whether TLS is used.
    public let isEncrypted: Bool
    /// Host name or IP address, without brackets.
    public let name: String
    /// TCP port.
    public let port: UInt16

    /// Creates an address from its parts.
    public init(name: String, port: UInt16 = StreamingConstants.defaultPort, isEncrypted: Bool = false) {
        self.name = name
        self.port = port
        self.isEncrypted = isEncrypted
    }

    /// Parses user input such as `attic.local`, `192.168.1.2:8420`, `[::1]:8420`, `http://attic.local:8420/` or
    /// `https://name.trycloudflare.com`. Nil if the input is not a host address.
    ///
    /// The default port is the host's own, or 443 with `https`.
    public init?(_ text: String) {
        var rest = Substring(text.trimmingCharacters(in: .whitespaces))
        var isEncrypted = false
        var standardPort = StreamingConstants.defaultPort
        if let scheme = rest.range(of: "://") {
            switch rest[..<scheme.lowerBound].lowercased() {
            case "http": break
            case "https":
                isEncrypted = true
                standardPort = 443
            default: return nil
            }
            rest = rest[scheme.upperBound...]
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        var port: Substring?
        if rest.hasPrefix("["), let end = rest.lastIndex(of: "]") {
            let after = rest[rest.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            if !after.isEmpty { port = after.dropFirst() }
            rest = rest[..<end].dropFirst()
        } else if rest.filter({ $0 == ":" }).count == 1, let colon = rest.firstIndex(of: ":") {
            port = rest[rest.index(after: colon)...]
            rest = rest[..<colon]
        }
        let number = port.map { UInt16($0) } ?? standardPort
        let isName = rest.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-._:%".unicodeScalars.contains($0)
        }
        guard let number, number > 0, !rest.isEmpty, isName else { return nil }
        self.init(name: String(rest), port: number, isEncrypted: isEncrypted)
    }

    /// The base URL of the host, without a trailing slash.
    public var description: String {
        // The percent sign of an IPv6 zone identifier is escaped in a URL (RFC 6874, section 2).
        let machine = name.contains(":") ? "[\(name.replacing("%", with: "%25"))]" : name
        let standardPort: UInt16 = isEncrypted ? 443 : 80
        return "\(isEncrypted ? "https" : "http")://\(machine)\(port == standardPort ? "" : ":\(port)")"
    }

    /// Returns the URL of a resource of the host.
    /// - Parameters:
    ///   - path: starts with a slash; may already contain a query.
    ///   - query: names and values to append; items without a value are omitted.
    public func address(of path: String, query: [(String, String?)] = []) -> String {
        let items = query.compactMap { name, value in value.map { "\(name)=\(Self.escaped($0))" } }
        guard !items.isEmpty else { return description + path }
        return description + path + (path.contains("?") ? "&" : "?") + items.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            bytes.reduce(into: "") { escaped, byte in
                let scalar = Unicode.Scalar(byte)
                if byte < 0x80,
                    scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar)
                {
                    escaped.unicodeScalars.append(scalar)
                } else {
                    escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            }
        }
    }
}
