/// The formats of covers, recognised by their first bytes.
package enum PictureFormat: String, Sendable, CaseIterable {
    /// JPEG (ITU-T T.81).
    case jpeg
    /// PNG (ISO/IEC 15948).
    case png
    /// GIF 87a and 89a.
    case gif
    /// Windows bitmap.
    case bmp
    /// WebP. Recognised but not scaled: the distribution's decoder library has no loader for it.
    case webp

    /// Returns the format of a picture; nil if it is unknown.
    package init?(_ bytes: some Collection<UInt8>) {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: signature)
        }
        if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
            self = .gif
        } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if begins(Array("BM".utf8)), begins([0, 0, 0, 0], at: 6) {
            // Two letters may begin any text; the four reserved bytes are zero in every bitmap.
            self = .bmp
        } else {
            return nil
        }
    }

    /// The media type, as `Content-Type` names it.
    package var mediaType: String { "image/\(rawValue)" }

    /// Whether the picture's end is there. The decoders fill up what is missing with grey, which is no cover.
    func isComplete(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .jpeg: Self.hasEndOfImage(bytes)
        case .png: Self.hasEndChunk(bytes)
        case .gif, .bmp, .webp: true
        }
    }

    /// Looks for the end marker behind the first scan: a thumbnail in the fields before it has one of its own.
    private static func hasEndOfImage(_ bytes: [UInt8]) -> Bool {
        var offset = 2
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else { return false }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Markers without content (T.81, table B.1).
            if marker == 0x01 || (0xD0...0xD8).contains(marker) {
                offset += 2
                continue
            }
            offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            // In coded data 0xFF is followed by 0, so that a marker is a marker.
            if marker == 0xDA { return contains([0xFF, 0xD9], in: bytes, from: offset) }
        }
        return false
    }

    private static func contains(_ pair: [UInt8], in bytes: [UInt8], from start: Int) -> Bool {
        guard start < bytes.count - 1 else { return false }
        // From the end, where it nearly always is.
        return (start..<bytes.count - 1).reversed().contains {
            bytes[$0] == pair[0] && bytes[$0 + 1] == pair[1]
        }
    }

    private static func hasEndChunk(_ bytes: [UInt8]) -> Bool {
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[offset + 4..<offset + 8].elementsEqual("IEND".utf8) { return true }
            offset += 12 + length
        }
        return false
    }
}
