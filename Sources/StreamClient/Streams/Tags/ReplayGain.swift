internal import Foundation

/// What tags say of a track's level (ReplayGain 2.0).
public struct ReplayGain: Sendable, Equatable {
    /// Gain of the track in dB.
    public var trackGainDB: Double?
    /// Highest sample of the track, 1 for full scale.
    public var trackPeak: Double?
    /// Gain of the album in dB.
    public var albumGainDB: Double?
    /// Highest sample of the album, 1 for full scale.
    public var albumPeak: Double?

    /// Puts the parts together.
    public init(
        trackGainDB: Double? = nil, trackPeak: Double? = nil, albumGainDB: Double? = nil,
        albumPeak: Double? = nil
    ) {
        self.trackGainDB = trackGainDB
        self.trackPeak = trackPeak
        self.albumGainDB = albumGainDB
        self.albumPeak = albumPeak
    }

    /// Reads the `TXXX` frames of an ID3v2.3 or 2.4 tag; nil where none of them is about gain.
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
        if self == ReplayGain() { return nil }
    }

    private static func number(_ text: String) -> Double? {
        let number = text.trimmingCharacters(in: .whitespaces).prefix { "+-.0123456789".contains($0) }
        return Double(number).flatMap { $0.isFinite && abs($0) < 100 ? $0 : nil }
    }
}
