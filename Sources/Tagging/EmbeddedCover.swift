internal import CTagLib

/// The cover embedded in a file's tags.
package struct EmbeddedCover: Sendable, Hashable {
    /// The image data, such as the bytes of a JPEG file. Never empty, at most 64 MiB.
    package var data: [UInt8]
    /// MIME type of the image, determined from its first bytes; for unknown formats the type stated in the tag, or
    /// `application/octet-stream`.
    package var mimeType: String

    /// Memberwise initializer.
    package init(data: [UInt8], mimeType: String) {
        self.data = data
        self.mimeType = mimeType
    }

    /// Reads the cover of a file: the front cover, or the first picture if none is marked as such; nil if the tags contain no
    /// picture. Pictures of more than 64 MiB are ignored.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(from path: String) throws(TaggingError) -> EmbeddedCover? {
        try read(from: Array(path.utf8))
    }

    /// Reads the cover of a file whose name need not be valid UTF-8.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(from path: [UInt8]) throws(TaggingError) -> EmbeddedCover? {
        guard let handle = try openedIfAny(path, { ctaglib_cover_read($0, $1, $2) }) else { return nil }
        defer { ctaglib_cover_free(handle) }
        return EmbeddedCover(handle)
    }

    /// Copies a cover read by the tag library.
    init(_ handle: OpaquePointer) {
        let picture = ctaglib_cover_picture(handle)
        let stated = ctaglib_cover_mime_type(handle)
        data = [UInt8](UnsafeBufferPointer(start: picture.start, count: picture.count))
        mimeType =
            Self.sniffedType(data)
            ?? Self.statedType(UnsafeBufferPointer(start: stated.start, count: stated.count))
    }

    /// Returns the MIME type determined from an image's first bytes.
    static func sniffedType(_ data: [UInt8]) -> String? {
        if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if data.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if data.starts(with: Array("BM".utf8)) { return "image/bmp" }
        if data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }

    /// Returns the type stated in the tag if it is a well-formed image MIME type, since it is used in a response header.
    private static func statedType(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let name = text.hasPrefix("image/") ? text.dropFirst(6) : ""
        let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
        return isPlain && (1...64).contains(name.count) ? text : "application/octet-stream"
    }
}
