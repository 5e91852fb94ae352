/// Builds tags byte by byte according to the standards.
enum TagBytes {
    static func bigEndian(_ value: Int, count: Int = 4, bits: Int = 8) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * bits) & ((1 << bits) - 1)) }
    }

    static func littleEndian(_ value: Int) -> [UInt8] { bigEndian(value).reversed() }

    static func synchSafe(_ value: Int) -> [UInt8] { bigEndian(value, bits: 7) }

    /// Builds an ID3v2 tag (header §3.1) around a body.
    static func id3v2(_ body: [UInt8], version: UInt8 = 4, flags: UInt8 = 0, size: Int? = nil) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + synchSafe(size ?? body.count) + body
    }

    /// Builds a frame of ID3v2.3 or 2.4 (§3.3 and §4).
    static func frame(
        _ id: String, _ content: [UInt8], version: UInt8 = 4, flags: [UInt8] = [0, 0], size: Int? = nil
    ) -> [UInt8] {
        let size = size ?? content.count
        return Array(id.utf8) + (version == 4 ? synchSafe(size) : bigEndian(size)) + flags + content
    }

    /// Builds a text frame in UTF-8 (encoding 3).
    static func text(_ id: String, _ text: String, version: UInt8 = 4) -> [UInt8] {
        frame(id, [3] + Array(text.utf8), version: version)
    }

    static func picture(_ data: [UInt8], type: UInt8 = 3, mimeType: String = "image/jpeg") -> [UInt8] {
        frame("APIC", [0] + Array(mimeType.utf8) + [0, type, 0] + data)
    }

    /// Builds an ID3v1.1 tag.
    static func id3v1(
        title: [UInt8] = [], artist: [UInt8] = [], album: [UInt8] = [], year: String = "",
        comment: [UInt8] = [],
        track: UInt8 = 0, genre: UInt8 = 255
    ) -> [UInt8] {
        func field(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
            Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
        }
        return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field(album, 30)
            + field(Array(year.utf8), 4) + field(comment, 28) + [0, track, genre]
    }

    /// Builds an item of an APE tag; flags 2 for binary content.
    static func apeItem(_ key: String, _ value: [UInt8], flags: Int = 0, size: Int? = nil) -> [UInt8] {
        littleEndian(size ?? value.count) + littleEndian(flags) + Array(key.utf8) + [0] + value
    }

    /// Builds an APEv2 tag with header and footer.
    static func ape(_ items: [[UInt8]], size: Int? = nil) -> [UInt8] {
        let body = items.flatMap { $0 }
        func end(_ flags: Int) -> [UInt8] {
            Array("APETAGEX".utf8) + littleEndian(2000) + littleEndian(size ?? body.count + 32)
                + littleEndian(items.count) + littleEndian(flags) + [UInt8](repeating: 0, count: 8)
        }
        return end(0xA000_0000) + body + end(0x8000_0000)
    }

    /// Bytes that look like two silent frames, to place between tags.
    static let audio: [UInt8] = ([0xFF, 0xFB, 0x50, 0x00] + [UInt8](repeating: 0, count: 205)).repeated(2)
}

extension [UInt8] {
    func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}
