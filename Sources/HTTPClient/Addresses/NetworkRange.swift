/// A range of addresses with a common prefix.
package struct NetworkRange: Sendable, Hashable {
    private let first: NetworkAddress
    /// Number of bits that all addresses share, of 128.
    private let bitCount: Int

    /// Parses `192.168.1.0/24`, `fd00::/8`, or a single address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = NetworkAddress(String(parts[0])) else {
            return nil
        }
        let width = address.ipv4 == nil ? 128 : 32
        var bits = width
        if parts.count == 2 {
            guard parts[1].allSatisfy(\.isWholeNumber), let count = Int(parts[1]), count <= width else {
                return nil
            }
            bits = count
        }
        first = address
        bitCount = 128 - width + bits
    }

    /// Whether an address is in the range.
    package func contains(_ address: NetworkAddress) -> Bool {
        let whole = bitCount / 8
        guard address.bytes.prefix(whole).elementsEqual(first.bytes.prefix(whole)) else { return false }
        let rest = bitCount % 8
        return rest == 0 || (address.bytes[whole] ^ first.bytes[whole]) >> (8 - rest) == 0
    }
}
