/// Takes apart what a station sends: sound, and its titles in between (ICY protocol: after every `interval` bytes of sound a
/// byte that says how many sixteens of bytes of text follow).
struct TitleInterleave {
    private let interval: Int
    private var soundLeft: Int
    /// Bytes of text that are still to come; nil while there is sound.
    private var textLeft: Int?
    private var text: [UInt8] = []

    /// - Parameter interval: bytes of sound between texts; 0 for no texts at all.
    init(interval: Int) {
        self.interval = interval
        soundLeft = interval
    }

    /// Takes the next bytes.
    /// - Returns: the sound in them, and the titles that were completed.
    mutating func take(_ bytes: [UInt8]) -> (sound: [UInt8], titles: [StationTitle]) {
        guard interval > 0 else { return (bytes, []) }
        var sound: [UInt8] = []
        var titles: [StationTitle] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            if let left = textLeft {
                let part = rest.prefix(left)
                text += part
                rest = rest.dropFirst(part.count)
                textLeft = left - part.count
                if textLeft == 0 {
                    if let title = Self.title(text) { titles.append(title) }
                    text = []
                    textLeft = nil
                    soundLeft = interval
                }
            } else if soundLeft == 0 {
                let count = Int(rest.removeFirst()) * 16
                if count == 0 { soundLeft = interval } else { textLeft = count }
            } else {
                let part = rest.prefix(soundLeft)
                sound += part
                rest = rest.dropFirst(part.count)
                soundLeft -= part.count
            }
        }
        return (sound, titles)
    }

    /// `StreamTitle='…';StreamUrl='…';`, in UTF-8 or, where that makes no sense, in ISO 8859-1.
    static func title(_ bytes: [UInt8]) -> StationTitle? {
        let content = bytes.prefix { $0 != 0 }
        let text =
            String(validating: content, as: UTF8.self)
            ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
        guard let title = field("StreamTitle", text) else { return nil }
        return StationTitle(text: title, address: field("StreamUrl", text).flatMap { $0.isEmpty ? nil : $0 })
    }

    private static func field(_ name: String, _ text: String) -> String? {
        guard let start = text.firstRange(of: name + "='") else { return nil }
        let rest = text[start.upperBound...]
        // Titles hold apostrophes: the end is one with a semicolon.
        guard let end = rest.firstRange(of: "';") else {
            return rest.hasSuffix("'") ? String(rest.dropLast()) : nil
        }
        return String(rest[..<end.lowerBound])
    }
}
