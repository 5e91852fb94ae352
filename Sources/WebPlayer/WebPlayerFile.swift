/// A file of the web player, as served.
package struct WebPlayerFile: Sendable {
    /// The content of the file.
    package let bytes: [UInt8]
    /// The value of `Content-Type`.
    package let mediaType: String
    /// A hash of the content, used as ETag and for the release version.
    package let identity: String

    init(bytes: [UInt8], mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        // FNV-1a, 64 bits. A cryptographic hash is not needed: the files come with the program.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        identity = String(hash, radix: 16)
    }

    /// Returns the media type for a file name; nil for types that the web player does not use and that are not served.
    static func mediaType(of path: String) -> String? {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        return switch path[path.index(after: dot)...] {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        case "json": "application/json"
        case "woff2": "font/woff2"
        default: nil
        }
    }
}
