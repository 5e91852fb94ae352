internal import Foundation
public import MusicShared

extension ReplayGainValues {
    /// Reads the `TXXX` frames of an ID3v2.3 or 2.4 tag; nil if it has no ReplayGain values.
    public init?(id3 tag: [UInt8]) {
        self.init()
        for (name, value) in ID3TextFrames(tag) {
            let number = Self.number(value)
            switch name.uppercased() {
            case "REPLAYGAIN_TRACK_GAIN": trackGainDB = number
            case "REPLAYGAIN_TRACK_PEAK": trackPeak = number
            case "REPLAYGAIN_ALBUM_GAIN": albumGainDB = number
            case "REPLAYGAIN_ALBUM_PEAK": albumPeak = number
            default: continue
            }
        }
        if self == ReplayGainValues() { return nil }
    }

    private static func number(_ text: String) -> Double? {
        let number = text.trimmingCharacters(in: .whitespaces).prefix { "+-.0123456789".contains($0) }
        return Double(number).flatMap { $0.isFinite && abs($0) < 100 ? $0 : nil }
    }
}
