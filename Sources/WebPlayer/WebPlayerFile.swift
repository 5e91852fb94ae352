/// A file of the player's page, as it is handed out.
public struct WebPlayerFile: Sendable {
    /// Its content.
    public let bytes: [UInt8]
    /// What it is, for `Content-Type`.
    public let mediaType: String
    /// A name for this content: another content has another one.
    public let identity: String

    init(bytes: [UInt8], mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        // FNV-1a, 64 bits: the files are the program's own, nobody makes two of them alike on purpose.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        identity = String(hash, radix: 16)
    }

    /// The media type of what a site is made of; nil for anything else, which is not handed out.
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
