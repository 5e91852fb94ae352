internal import CMicroHTTPD
internal import Glibc

/// The header of a request, as far as it matters for receiving the rest.
struct RequestHeader {
    /// All header fields, with lowercase names.
    var fields = HTTPFields()
    /// The value of `Content-Length`, if any.
    var announcedLength: String?
    /// Number of `Transfer-Encoding` fields.
    var codingCount = 0
    /// Whether the client may wait for `100 Continue` before it sends the body.
    var waitsForContinue = false

    /// The length of the body announced by the client, if any.
    var announcedByteCount: Int? { announcedLength.flatMap { Int($0) } }

    /// Whether a body follows.
    var hasBody: Bool { codingCount > 0 || announcedLength != nil && announcedLength != "0" }
}

extension ConnectionHandle {
    /// Reads the header of the request just received.
    ///
    /// - Parameters:
    ///   - targetByteCount: The length of the request target as sent.
    ///   - method: The method, in the library's memory.
    ///   - version: The protocol version, in the library's memory.
    ///   - fault: Receives what makes the header ambiguous: anything that two parsers could interpret differently, so that one
    ///     sees a request where the other sees a body (RFC 9112 §11.2). Nil if it is unambiguous.
    func header(
        targetByteCount: Int, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        fault: inout String?
    ) -> RequestHeader {
        let (methodByteCount, versionByteCount) = (strlen(method), strlen(version))
        var lines = HeaderLines(
            isLayoutKnown: Self.isLayoutKnown, method: UnsafeRawPointer(method),
            lineEnd: UnsafeRawPointer(version) + versionByteCount)
        lines.check(firstLine: methodByteCount + 1 + targetByteCount + 1 + versionByteCount)
        var header = RequestHeader()
        header.fields.reserveCapacity(16)
        forEachField { name, value in
            lines.check(name, value)
            let field = HTTPField(HTTPFieldName(sent: name), String(decoding: value, as: UTF8.self))
            Self.check(field, &header, &lines)
            header.fields.append(field)
            return lines.fault == nil
        }
        fault = lines.fault ?? Self.fault(header, isOldVersion: strcmp(version, "HTTP/1.0") == 0)
        if fault == nil {
            lines.checkEnd(headerByteCount: cmhd_header_byte_count(pointer))
            fault = lines.fault
        }
        return header
    }

    /// Notes the fields that determine where the request ends.
    private static func check(_ field: HTTPField, _ header: inout RequestHeader, _ lines: inout HeaderLines) {
        switch field.name {
        case .contentLength:
            if let first = header.announcedLength, first != field.value {
                lines.fault = "The request has several values of Content-Length."
            }
            header.announcedLength = field.value
        case .transferEncoding:
            header.codingCount += 1
            if field.value.lowercased() != "chunked" {
                lines.fault = "The only supported transfer coding is \"chunked\"."
            }
        case .expect: header.waitsForContinue = true
        default: break
        }
    }

    private static func fault(_ header: RequestHeader, isOldVersion: Bool) -> String? {
        guard header.codingCount > 0 else { return nil }
        if header.announcedLength != nil {
            return "The request has both Content-Length and Transfer-Encoding."
        }
        if header.codingCount > 1 { return "The request has several values of Transfer-Encoding." }
        return isOldVersion ? "HTTP/1.0 does not allow Transfer-Encoding." : nil
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

extension HTTPFieldName {
    /// Creates a name from a token as sent, which becomes lowercase.
    fileprivate init(sent name: UnsafeRawBufferPointer) {
        self.init(
            lowercaseToken: String(unsafeUninitializedCapacity: name.count) { buffer in
                for index in name.indices {
                    let byte = name[index]
                    // A non-ASCII byte is rejected by the check of the name; it would produce ill-formed text.
                    buffer[index] =
                        (65...90).contains(byte) ? byte | 0x20 : byte < 0x80 ? byte : UInt8(ascii: "?")
                }
                return name.count
            })
    }
}
