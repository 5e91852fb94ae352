internal import Foundation
internal import MP4Audio
public import MusicShared

extension ReplayGainValues {
    /// Reads the `TXXX` frames of an ID3v2.3 or 2.4 tag; nil if it has no ReplayGain values.
    public init?(id3 tag: [UInt8]) {
        self.init()
        for (name, value) in ID3TextFrames(tag) { take(name, value) }
        if self == ReplayGainValues() { return nil }
    }

    /// Reads the fields of a VORBIS_COMMENT block (RFC 9639 §8.6); nil if it has no ReplayGain values.
    /// - Parameter isOpus: whether gains in the form of Opus come first (RFC 7845 §5.2.1).
    init?(vorbisComments bytes: [UInt8], isOpus: Bool = false) {
        self.init()
        var opusGains = ReplayGainValues()
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
            let (name, value) = (String(field[..<mark]), String(field[field.index(after: mark)...]))
            take(name, value)
            if isOpus { opusGains.takeOpusGain(name, value) }
        }
        trackGainDB = opusGains.trackGainDB ?? trackGainDB
        albumGainDB = opusGains.albumGainDB ?? albumGainDB
        if self == ReplayGainValues() { return nil }
    }

    /// Reads the comments of an MP4 file with names as in ID3v2; nil if it has no ReplayGain values.
    init?(_ comments: ITunesComments) {
        self.init()
        for (name, text) in comments.entries { take(name, text) }
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

    /// Takes a gain in 1/256 dB to a loudness of −23 LUFS; ReplayGain's is −18 LUFS.
    private mutating func takeOpusGain(_ name: String, _ value: String) {
        guard let steps = Int16(value.trimmingCharacters(in: .whitespaces)) else { return }
        let gain = Double(steps) / 256 + 5
        switch name.uppercased() {
        case "R128_TRACK_GAIN": trackGainDB = gain
        case "R128_ALBUM_GAIN": albumGainDB = gain
        default: break
        }
    }

    private static func number(_ text: String) -> Double? {
        let number = text.trimmingCharacters(in: .whitespaces).prefix { "+-.0123456789".contains($0) }
        return Double(number).flatMap { $0.isFinite && abs($0) < 100 ? $0 : nil }
    }
}
