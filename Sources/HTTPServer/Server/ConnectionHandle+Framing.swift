internal import CMicroHTTPD
internal import Glibc

extension ConnectionHandle {
    /// Returns what makes the header of the request just received ambiguous: anything that two parsers could interpret
    /// differently, so that one sees a request where the other sees a body (RFC 9112 §11.2). Nil if it is unambiguous.
    ///
    /// - Parameters:
    ///   - targetByteCount: The length of the request target as sent.
    ///   - method: The method, in the library's memory.
    ///   - version: The protocol version, in the library's memory.
    func framingFault(
        targetByteCount: Int, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> String? {
        var lines = HeaderLines(
            isLayoutKnown: Self.isLayoutKnown, method: UnsafeRawPointer(method),
            lineEnd: UnsafeRawPointer(version) + strlen(version))
        lines.check(firstLine: strlen(method) + 1 + targetByteCount + 1 + strlen(version))
        var length: UnsafeRawBufferPointer?
        var codingCount = 0
        forEachField { name, value in
            lines.check(name, value)
            if isSame(name, "content-length") {
                if let first = length, !first.elementsEqual(value) {
                    lines.fault = "The request has several values of Content-Length."
                }
                length = value
            } else if isSame(name, "transfer-encoding") {
                codingCount += 1
                if !isSame(value, "chunked") {
                    lines.fault = "The only supported transfer coding is \"chunked\"."
                }
            }
            return lines.fault == nil
        }
        if let fault = lines.fault { return fault }
        if codingCount > 0 {
            if length != nil { return "The request has both Content-Length and Transfer-Encoding." }
            if codingCount > 1 { return "The request has several values of Transfer-Encoding." }
            if strcmp(version, "HTTP/1.0") == 0 { return "HTTP/1.0 does not allow Transfer-Encoding." }
        }
        lines.checkEnd(headerByteCount: cmhd_header_byte_count(pointer))
        return lines.fault
    }

    /// Whether the library's memory layout of a header is known: it silently accepts a bare line feed as the end of a line
    /// and a NUL as the end of a value, but leaves names and values where they arrived. Version 1.0 rejects both itself.
    private static let isLayoutKnown = String(cString: MHD_get_version()) == "0.9.75"
}

/// Checks the lines of a header by the addresses of their names and values in memory.
private struct HeaderLines {
    let isLayoutKnown: Bool
    let method: UnsafeRawPointer
    /// Address of the end of the last line's text.
    var lineEnd: UnsafeRawPointer
    var fault: String?

    /// Number of bytes that end a line.
    private static let lineBreak = 2
    private static let lineFault =
        "Header lines must end with CR LF; NUL, other control characters and folded lines are not allowed."

    init(isLayoutKnown: Bool, method: UnsafeRawPointer, lineEnd: UnsafeRawPointer) {
        self.isLayoutKnown = isLayoutKnown
        self.method = method
        self.lineEnd = lineEnd
    }

    mutating func check(firstLine byteCount: Int) {
        if isLayoutKnown, lineEnd - method != byteCount { fault = Self.lineFault }
    }

    mutating func check(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard let nameStart = name.baseAddress, !name.isEmpty, name.allSatisfy(isTokenByte) else {
            fault = "A header field name contains an invalid character."
            return
        }
        if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) { fault = Self.lineFault }
        guard isLayoutKnown else { return }
        guard nameStart - lineEnd == Self.lineBreak, let valueStart = value.baseAddress,
            valueStart > nameStart + name.count
        else {
            fault = Self.lineFault
            return
        }
        lineEnd = valueStart + value.count
    }

    mutating func checkEnd(headerByteCount: Int) {
        if isLayoutKnown, lineEnd - method + 2 * Self.lineBreak != headerByteCount { fault = Self.lineFault }
    }
}

/// Whether ASCII text equals `lowercase`, ignoring case. `lowercase` must contain only lowercase letters and hyphens.
private func isSame(_ text: UnsafeRawBufferPointer, _ lowercase: StaticString) -> Bool {
    text.count == lowercase.utf8CodeUnitCount
        && lowercase.withUTF8Buffer { known in
            zip(text, known).allSatisfy { ((65...90).contains($0) ? $0 | 0x20 : $0) == $1 }
        }
}
