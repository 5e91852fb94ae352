internal import Foundation
public import MusicShared

/// Where a host listens.
public struct HostAddress: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Whether what is sent is encrypted.
    public let isEncrypted: Bool
    /// Name or number of the machine, without brackets.
    public let name: String
    /// The port.
    public let port: UInt16

    /// Puts the parts together.
    public init(name: String, port: UInt16 = StreamingConstants.defaultPort, isEncrypted: Bool = false) {
        self.name = name
        self.port = port
        self.isEncrypted = isEncrypted
    }

    /// Reads what a person typed: `attic.local`, `192.168.1.2:8420`, `[::1]:8420`, `http://attic.local:8420/`,
    /// `https://name.trycloudflare.com`. Nil where it is nothing of that kind.
    ///
    /// The port is the host's own where none is named, but that of the web where `https` is.
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

    /// The address as it begins every address of the host, without a slash at its end.
    public var description: String {
        // The name of a network within an address is written with its sign escaped (RFC 6874, section 2).
        let machine = name.contains(":") ? "[\(name.replacing("%", with: "%25"))]" : name
        let standardPort: UInt16 = isEncrypted ? 443 : 80
        return "\(isEncrypted ? "https" : "http")://\(machine)\(port == standardPort ? "" : ":\(port)")"
    }

    /// The address of something that the host has.
    /// - Parameters:
    ///   - path: begins with a slash; may have a query already.
    ///   - query: names and values that are added to it. Those without a value are left out.
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
