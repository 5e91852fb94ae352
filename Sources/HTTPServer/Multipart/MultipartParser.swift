internal import Glibc

/// An incremental parser for `multipart/form-data` (RFC 7578, RFC 2046 §5.1); input may arrive in pieces of any length.
///
/// Content is passed on immediately: less than a part's headers and a boundary is buffered.
package struct MultipartParser {
    /// Limits.
    package struct Limits: Sendable {
        /// Maximum size of the headers of one part, in bytes.
        package var headerBytes = 8192
        /// Maximum number of parts.
        package var partCount = 1200
        /// Maximum number of bytes before the first boundary, which are ignored.
        package var preambleBytes = 8192

        /// The default limits.
        package init() {}
    }

    /// A parsing event.
    package enum Event {
        /// A part starts.
        case part(MultipartPart)
        /// The next bytes of the part's content. Valid during the call.
        case content(UnsafeRawBufferPointer)
        /// The part is complete.
        case partEnd
    }

    private enum State {
        case preamble
        /// After a boundary: the following bytes determine whether it was the last one.
        case boundary
        case headers
        case content
        case epilogue
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineEnd = Array("\r\n".utf8)
    private static let headersEnd = Array("\r\n\r\n".utf8)

    private let limits: Limits
    /// Line break, two hyphens, boundary.
    private let delimiter: [UInt8]
    private var state = State.preamble
    /// Input that has not been processed. It starts with a line break that is not in the content, so that a boundary at the
    /// very start needs no special case.
    private var buffer: [UInt8]
    private var partCount = 0
    private var preambleBytes = 0

    /// Creates a parser for a boundary.
    /// - Throws: `malformed` if the boundary is invalid (RFC 2046 §5.1.1).
    package init(boundary: String, limits: Limits = Limits()) throws(MultipartError) {
        let bytes = Array(boundary.utf8)
        guard (1...70).contains(bytes.count), bytes.last != UInt8(ascii: " "),
            bytes.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { throw MultipartError(.malformed, "The boundary must have 1 to 70 valid characters.") }
        self.limits = limits
        delimiter = Self.lineEnd + Array("--".utf8) + bytes
        buffer = Self.lineEnd
    }

    /// Creates a parser for the boundary in a `Content-Type` field.
    /// - Throws: ``HTTPError`` with 415 if it is not a form, ``MultipartError`` if it has no boundary.
    package init(contentType: String?, limits: Limits = Limits()) throws {
        let type = ParameterizedValue(contentType ?? "")
        guard type.value == "multipart/form-data" else {
            throw HTTPError(
                .unsupportedMediaType, code: "form_expected", message: "Send multipart/form-data.",
                field: "Content-Type")
        }
        guard let boundary = type["boundary"] else {
            throw MultipartError(.malformed, "Content-Type has no boundary parameter.")
        }
        try self.init(boundary: boundary, limits: limits)
    }

    /// Parses the next piece.
    /// - Parameter take: called for each event, in order; an error that it throws ends parsing.
    /// - Throws: ``MultipartError``, or any error of `take`. Parsing cannot continue afterwards.
    package mutating func parse(_ piece: [UInt8], _ take: (Event) throws -> Void) throws {
        guard state != .epilogue else { return }
        let whole = buffer.isEmpty ? piece : buffer + piece
        var position = 0
        try whole.withUnsafeBytes { bytes in
            while let count = try step(UnsafeRawBufferPointer(rebasing: bytes[position...]), take) {
                position += count
            }
        }
        buffer = Array(whole[position...])
    }

    /// Checks that the last boundary has been parsed.
    /// - Throws: `malformed` if the content ended before it.
    package func finish() throws(MultipartError) {
        guard state == .epilogue else {
            throw MultipartError(.malformed, "The content ended before the final boundary.")
        }
    }

    /// Parses one token at the start of the input.
    /// - Returns: the number of bytes consumed; nil if more input is needed.
    private mutating func step(
        _ bytes: UnsafeRawBufferPointer, _ take: (Event) throws -> Void
    ) throws -> Int? {
        switch state {
        case .preamble: return try passPreamble(bytes)
        case .boundary: return try passBoundary(bytes)
        case .headers: return try passHeaders(bytes, take)
        case .content: return try passContent(bytes, take)
        case .epilogue: return nil
        }
    }

    private mutating func passPreamble(_ bytes: UnsafeRawBufferPointer) throws(MultipartError) -> Int? {
        let found = Self.find(delimiter, in: bytes)
        preambleBytes += found.position
        guard preambleBytes <= limits.preambleBytes else {
            throw MultipartError(.malformed, "The content does not start with the boundary.")
        }
        guard found.isWhole else { return found.position > 0 ? found.position : nil }
        state = .boundary
        return found.position + delimiter.count
    }

    private mutating func passBoundary(_ bytes: UnsafeRawBufferPointer) throws(MultipartError) -> Int? {
        guard bytes.count >= 2 else { return nil }
        if bytes[0] == UInt8(ascii: "-"), bytes[1] == UInt8(ascii: "-") {
            state = .epilogue
            return 2
        }
        // Whitespace may follow a boundary.
        let padding = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
        let isTooLong = padding > limits.headerBytes
        guard isTooLong || bytes.count >= padding + 2 else { return nil }
        guard !isTooLong, bytes[padding] == Self.carriageReturn, bytes[padding + 1] == UInt8(ascii: "\n")
        else { throw MultipartError(.malformed, "Unexpected characters after a boundary.") }
        partCount += 1
        guard partCount <= limits.partCount else {
            throw MultipartError(.tooLarge, "There are more than \(limits.partCount) parts.")
        }
        state = .headers
        // Keep the line break, so that the end of the headers looks the same if there are no headers.
        return padding
    }

    private mutating func passHeaders(
        _ bytes: UnsafeRawBufferPointer, _ take: (Event) throws -> Void
    ) throws -> Int? {
        let found = Self.find(Self.headersEnd, in: bytes)
        guard found.position <= limits.headerBytes else {
            throw MultipartError(
                .tooLarge, "The headers of a part are longer than \(limits.headerBytes) bytes.")
        }
        guard found.isWhole else { return nil }
        try take(.part(try Self.part(bytes[..<found.position])))
        state = .content
        return found.position + Self.headersEnd.count
    }

    private mutating func passContent(
        _ bytes: UnsafeRawBufferPointer, _ take: (Event) throws -> Void
    ) throws -> Int? {
        let found = Self.find(delimiter, in: bytes)
        if found.position > 0 {
            try take(.content(UnsafeRawBufferPointer(rebasing: bytes[..<found.position])))
        }
        guard found.isWhole else { return found.position > 0 ? found.position : nil }
        try take(.partEnd)
        state = .boundary
        return found.position + delimiter.count
    }

    private static func part(_ headers: Slice<UnsafeRawBufferPointer>) throws(MultipartError) -> MultipartPart
    {
        var disposition: ParameterizedValue?
        var contentType: String?
        // Lines end with CR LF; a single CR is not a line break.
        for line in String(decoding: headers, as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else {
                throw MultipartError(.malformed, "A header of a part has no colon.")
            }
            let value = String(line[line.index(after: colon)...].trimmingWhitespace())
            switch line[..<colon].lowercased() {
            case "content-disposition": disposition = disposition ?? ParameterizedValue(value)
            case "content-type": contentType = contentType ?? value
            case "content-transfer-encoding":
                guard ["binary", "8bit", "7bit"].contains(value.lowercased()) else {
                    throw MultipartError(.malformed, "Encoded parts are not supported; send binary content.")
                }
            default: break
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition["name"] else {
            throw MultipartError(.malformed, "A part has no form field name.")
        }
        return MultipartPart(name: name, fileName: disposition["filename"], contentType: contentType)
    }

    /// Returns the position of a complete match, or of a possible partial match at the end of the input.
    private static func find(
        _ needle: [UInt8], in bytes: UnsafeRawBufferPointer
    ) -> (position: Int, isWhole: Bool) {
        var position = 0
        while position < bytes.count, let base = bytes.baseAddress {
            guard let candidate = memchr(base + position, Int32(needle[0]), bytes.count - position) else {
                break
            }
            position = base.distance(to: candidate)
            let length = min(needle.count, bytes.count - position)
            if memcmp(candidate, needle, length) == 0 { return (position, length == needle.count) }
            position += 1
        }
        return (bytes.count, false)
    }
}
