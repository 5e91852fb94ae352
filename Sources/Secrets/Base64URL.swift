/// Base64 for URLs and file names (RFC 4648, section 5), without padding.
package enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0...group.count { text.append(digits[value >> (18 - 6 * digit) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text; nil if it is not of this form.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var value = 0
        var bits = 0
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            value = (value << 6 | digit) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(value >> bits & 0xFF))
            }
        }
        // No encoder produces left-over bits that are set, or a single digit.
        return bits < 6 && value & (1 << bits - 1) == 0 ? bytes : nil
    }
}
