internal import Glibc

/// Reads `multipart/form-data` (RFC 7578, RFC 2046 §5.1) as it arrives, in pieces of any lengths.
///
/// Content is handed on at once: what is kept is less than a part's headers and a boundary.
public struct MultipartParser {
    /// What is put up with.
    public struct Limits: Sendable {
        /// Bytes of the headers of one part.
        public var headerBytes = 8192
        /// Parts.
        public var partCount = 1200
        /// Bytes before the first boundary, which mean nothing.
        public var preambleBytes = 8192

        /// The usual limits.
        public init() {}
    }

    /// What was met.
    public enum Event {
        /// A part begins.
        case part(MultipartPart)
        /// The next bytes of the part's content. Valid during the call.
        case content(UnsafeRawBufferPointer)
        /// The part is complete.
        case partEnd
    }

    private enum State {
        case preamble
        /// After a boundary: what follows says whether it was the last.
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
    /// What was not dealt with yet. It begins with a line break that is not in the content, so that a boundary at the very
    /// start is like any other.
    private var buffer: [UInt8]
    private var partCount = 0
    private var preambleBytes = 0

    /// Begins with a boundary.
    /// - Throws: `malformed` where it is none (RFC 2046 §5.1.1).
    public init(boundary: String, limits: Limits = Limits()) throws(MultipartError) {
        let bytes = Array(boundary.utf8)
        guard (1...70).contains(bytes.count), bytes.last != UInt8(ascii: " "),
            bytes.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { throw MultipartError(.malformed, "The boundary is not one of 1 to 70 characters.") }
        self.limits = limits
        delimiter = Self.lineEnd + Array("--".utf8) + bytes
        buffer = Self.lineEnd
    }

    /// Begins with the boundary that a field `Content-Type` names.
    /// - Throws: ``HTTPError`` with 415 where that is no form, ``MultipartError`` where it names no boundary.
    public init(contentType: String?, limits: Limits = Limits()) throws {
        let type = ParameterizedValue(contentType ?? "")
        guard type.value == "multipart/form-data" else {
            throw HTTPError(
                .unsupportedMediaType, code: "form_expected", message: "Send multipart/form-data.",
                field: "Content-Type")
        }
        guard let boundary = type["boundary"] else {
            throw MultipartError(.malformed, "Content-Type names no boundary.")
        }
        try self.init(boundary: boundary, limits: limits)
    }

    /// Takes the next piece.
    /// - Parameter take: told what was met, in order; what it throws ends the parsing.
    /// - Throws: ``MultipartError``, or what `take` throws. There is no going on then.
    public mutating func parse(_ piece: [UInt8], _ take: (Event) throws -> Void) throws {
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

    /// Makes sure that the last boundary was there.
    /// - Throws: `malformed` where the content ended before it.
    public func finish() throws(MultipartError) {
        guard state == .epilogue else {
            throw MultipartError(.malformed, "The content ends before its last boundary.")
        }
    }

    /// Takes one thing from the front.
    /// - Returns: how many bytes it took; nil where more must come first.
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
            throw MultipartError(.malformed, "The content does not begin with its boundary.")
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
        // White space may follow a boundary.
        let padding = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
        let isTooLong = padding > limits.headerBytes
        guard isTooLong || bytes.count >= padding + 2 else { return nil }
        guard !isTooLong, bytes[padding] == Self.carriageReturn, bytes[padding + 1] == UInt8(ascii: "\n")
        else { throw MultipartError(.malformed, "A boundary is followed by more than white space.") }
        partCount += 1
        guard partCount <= limits.partCount else {
            throw MultipartError(.tooLarge, "There are more than \(limits.partCount) parts.")
        }
        state = .headers
        // The line break stays: so the end of the headers looks the same where there are none.
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
        // Lines end with CR LF; a CR alone is no line break.
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
                    throw MultipartError(.malformed, "The content of a part is encoded: send it as it is.")
                }
            default: break
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition["name"] else {
            throw MultipartError(.malformed, "A part does not say which field of a form it is.")
        }
        return MultipartPart(name: name, fileName: disposition["filename"], contentType: contentType)
    }

    /// Where something is, or may begin at the end of what there is so far.
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
