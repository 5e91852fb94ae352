/// Separates audio and titles in a station's stream (ICY protocol: after every `interval` bytes of audio, one byte gives the
/// length of the following text in units of 16 bytes).
package struct TitleInterleave {
    /// A part of the stream.
    package enum Part: Sendable, Equatable {
        /// Bytes of audio.
        case sound([UInt8])
        /// A title that is valid from here.
        case title(StationTitle)
    }

    private let interval: Int
    private var soundLeft: Int
    /// Number of text bytes still to come; nil while reading audio.
    private var textLeft: Int?
    private var text: [UInt8] = []

    /// - Parameter interval: number of audio bytes between texts; 0 or less if there are no texts.
    package init(interval: Int) {
        self.interval = interval
        soundLeft = interval
    }

    /// Processes the next bytes.
    /// - Returns: the audio they contain and the titles completed, in their order.
    package mutating func take(_ bytes: [UInt8]) -> [Part] {
        guard interval > 0 else { return [.sound(bytes)] }
        var parts: [Part] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            if let left = textLeft {
                let part = rest.prefix(left)
                text += part
                rest = rest.dropFirst(part.count)
                textLeft = left - part.count
                if textLeft == 0 {
                    if let title = Self.title(text) { parts.append(.title(title)) }
                    text = []
                    textLeft = nil
                    soundLeft = interval
                }
            } else if soundLeft == 0 {
                let count = Int(rest.removeFirst()) * 16
                if count == 0 { soundLeft = interval } else { textLeft = count }
            } else {
                let part = rest.prefix(soundLeft)
                parts.append(.sound(Array(part)))
                rest = rest.dropFirst(part.count)
                soundLeft -= part.count
            }
        }
        return parts
    }

    /// Parses `StreamTitle='…';StreamUrl='…';` in UTF-8, or in ISO 8859-1 if it is not valid UTF-8.
    package static func title(_ bytes: [UInt8]) -> StationTitle? {
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
        // Titles may contain apostrophes, so the value ends at an apostrophe followed by a semicolon.
        guard let end = rest.firstRange(of: "';") else {
            return rest.hasSuffix("'") ? String(rest.dropLast()) : nil
        }
        return String(rest[..<end.lowerBound])
    }
}
