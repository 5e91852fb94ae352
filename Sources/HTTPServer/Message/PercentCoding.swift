/// Decodes percent-encoding (RFC 3986 §2.1).
///
/// - Returns: The text, or nil if an escape is truncated or not hexadecimal, or if the bytes are not UTF-8 or contain a NUL.
func percentDecoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == UInt8(ascii: "+")) })
    else { return String(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var iterator = text.utf8.makeIterator()
    while let byte = iterator.next() {
        if byte == UInt8(ascii: "%") {
            guard let high = iterator.next().flatMap(hexadecimalValue),
                let low = iterator.next().flatMap(hexadecimalValue), high | low != 0
            else { return nil }
            bytes.append(high << 4 | low)
        } else {
            bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
        }
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
