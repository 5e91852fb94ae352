/// The user-defined text frames of an ID3v2.3 or 2.4 tag (`TXXX`; ID3v2.4 frames, section 4.2.6).
struct ID3TextFrames: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let isVersion4: Bool
    private let end: Int
    private var position = 10

    init(_ tag: [UInt8]) {
        let flags = tag.count > 5 ? tag[5] : 0
        // Tags with unsynchronisation are rare, and would have to be decoded first.
        let isReadable = tag.count > 10 && (3...4).contains(tag[3]) && flags & 0x80 == 0
        bytes = tag
        isVersion4 = tag.count > 3 && tag[3] == 4
        end = isReadable ? tag.count : 0
        guard isReadable, flags & 0x40 != 0, let size = Self.size(tag[10...], isVersion4) else { return }
        position += isVersion4 ? size : size + 4
    }

    mutating func next() -> (name: String, value: String)? {
        while position + 10 <= end, bytes[position] != 0,
            let size = Self.size(bytes[(position + 4)...], isVersion4), size > 0,
            size <= end - position - 10
        {
            let isText = bytes[position..<position + 4].elementsEqual("TXXX".utf8)
            let content = bytes[position + 10..<position + 10 + size]
            position += 10 + size
            if isText, let pair = Self.pair(content) { return pair }
        }
        return nil
    }

    private static func size(_ bytes: ArraySlice<UInt8>, _ isSynchsafe: Bool) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return bytes.prefix(4).reduce(0) { $0 << (isSynchsafe ? 7 : 8) | Int($1) }
    }

    private static func pair(_ content: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let encoding = content.first else { return nil }
        let text: [Character]
        let rest = content.dropFirst()
        switch encoding {
        case 0: text = rest.map { Character(Unicode.Scalar($0)) }
        case 3: text = Array(String(decoding: rest, as: UTF8.self))
        default: text = Array(wide(rest, isBigEndian: encoding == 2))
        }
        let parts = text.split(separator: "\0", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let value = parts[1].drop { $0 == "\u{FEFF}" }.prefix { $0 != "\0" }
        return (String(parts[0]), String(value))
    }

    /// Decodes UTF-16 with or without a byte order mark.
    private static func wide(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var isBig = isBigEndian
        let start = bytes.startIndex
        if bytes.count >= 2 {
            if bytes[start] == 0xFE, bytes[start + 1] == 0xFF { isBig = true }
            if bytes[start] == 0xFF, bytes[start + 1] == 0xFE { isBig = false }
        }
        let units = stride(from: start, to: bytes.endIndex - 1, by: 2).map { place -> UInt16 in
            let pair = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
        }
        let text = String(decoding: units, as: UTF16.self)
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }
}
