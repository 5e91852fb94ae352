internal import Foundation
public import MusicShared

extension ReplayGainValues {
    /// Reads the `TXXX` frames of an ID3v2.3 or 2.4 tag; nil if it has no ReplayGain values.
    public init?(id3 tag: [UInt8]) {
        self.init()
        for (name, value) in ID3TextFrames(tag) { take(name, value) }
        if self == ReplayGainValues() { return nil }
    }

    /// Reads the fields of a VORBIS_COMMENT block (RFC 9639 §8.6); nil if it has no ReplayGain values.
    init?(vorbisComments bytes: [UInt8]) {
        self.init()
        var rest = bytes[...]
        func number() -> Int {
            defer { rest = rest.dropFirst(4) }
            // Little-endian, unlike all else in FLAC.
            return rest.count < 4 ? 0 : rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        // The name of the program, and the number of fields.
        let program = number()
        rest = rest.dropFirst(program)
        for _ in 0..<min(number(), bytes.count / 4) {
            let size = number()
            let field = String(decoding: rest.prefix(size), as: UTF8.self)
            rest = rest.dropFirst(size)
            guard let mark = field.firstIndex(of: "=") else { continue }
            take(String(field[..<mark]), String(field[field.index(after: mark)...]))
        }
        if self == ReplayGainValues() { return nil }
    }

    private mutating func take(_ name: String, _ value: String) {
        let number = Self.number(value)
        switch name.uppercased() {
        case "REPLAYGAIN_TRACK_GAIN": trackGainDB = number
        case "REPLAYGAIN_TRACK_PEAK": trackPeak = number
        case "REPLAYGAIN_ALBUM_GAIN": albumGainDB = number
        case "REPLAYGAIN_ALBUM_PEAK": albumPeak = number
        default: break
        }
    }

    private static func number(_ text: String) -> Double? {
        let number = text.trimmingCharacters(in: .whitespaces).prefix { "+-.0123456789".contains($0) }
        return Double(number).flatMap { $0.isFinite && abs($0) < 100 ? $0 : nil }
    }
}
