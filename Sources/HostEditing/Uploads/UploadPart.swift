internal import APIDescription
internal import HTTPServer

/// The part of a file that a request contains (`Content-Range`, RFC 9110 §14.4 and §14.5).
struct UploadPart {
    /// The byte range; empty if the request only asks to process a complete file.
    let range: Range<Int>
    /// The size of the whole file.
    let fileByteCount: Int

    /// - Parameters:
    ///   - fileByteCount: The announced size of the file.
    ///   - offset: The offset of the next byte.
    /// - Throws: 416 if the field is malformed or does not match the content; 411 if both field and length
    ///   are missing.
    init(_ request: HTTPRequest, fileByteCount: Int, offset: Int) throws(HTTPError) {
        let length = request.body.announcedByteCount
        guard let text = request.fields[.contentRange] else {
            guard let length else {
                throw APIError.lengthRequired(
                    "Content-Length or Content-Range is required.", field: "Content-Length")
            }
            guard length == fileByteCount else { throw Self.malformed }
            range = 0..<length
            self.fileByteCount = fileByteCount
            return
        }
        guard let match = text.wholeMatch(of: /bytes (?:([0-9]{1,18})-([0-9]{1,18})|(\*))\/([0-9]{1,18})/),
            let total = Int(match.output.4)
        else { throw Self.malformed }
        self.fileByteCount = total
        if match.output.3 != nil {
            range = offset..<offset
        } else {
            guard let first = match.output.1.flatMap({ Int($0) }),
                let last = match.output.2.flatMap({ Int($0) }),
                first <= last, last < total
            else { throw Self.malformed }
            range = first..<last + 1
        }
        guard length == nil || length == range.count else { throw Self.wrongLength }
    }

    private static let malformed = APIError.invalidContentRange(
        "Send Content-Range: bytes FIRST-LAST/SIZE with a part, or bytes */SIZE without content.",
        field: "Content-Range")
    static let wrongLength = APIError.wrongLength(
        "The content length does not match Content-Range.", field: "Content-Range")
}
