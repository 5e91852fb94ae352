/// ReplayGain values written by another program.
package struct ReplayGainTags: Sendable, Hashable {
    /// Gain of the track, in dB.
    package var trackGainDB: Double?
    /// Sample peak of the track; 1.0 is full scale.
    package var trackPeak: Double?
    /// Gain of the album, in dB.
    package var albumGainDB: Double?
    /// Sample peak of the album; 1.0 is full scale.
    package var albumPeak: Double?

    /// Memberwise initializer.
    package init(
        trackGainDB: Double? = nil, trackPeak: Double? = nil,
        albumGainDB: Double? = nil, albumPeak: Double? = nil
    ) {
        self.trackGainDB = trackGainDB
        self.trackPeak = trackPeak
        self.albumGainDB = albumGainDB
        self.albumPeak = albumPeak
    }

    /// Parses texts such as "-7.53 dB" and "0.987654"; those that are no numbers are ignored.
    package init(
        trackGainText: String?, trackPeakText: String?, albumGainText: String?, albumPeakText: String?
    ) {
        self.init(
            trackGainDB: Self.gain(trackGainText), trackPeak: Self.peak(trackPeakText),
            albumGainDB: Self.gain(albumGainText), albumPeak: Self.peak(albumPeakText))
    }

    /// Parses "-7.53 dB" and similar; returns nil for text that is not a number or out of range.
    static func gain(_ text: String?) -> Double? { number(text, within: -200...200) }

    /// Parses "0.987654"; returns nil for text that is not a number or out of range.
    static func peak(_ text: String?) -> Double? { number(text, within: 0...1_000) }

    private static func number(_ text: String?, within range: ClosedRange<Double>) -> Double? {
        guard let text else { return nil }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
        guard let value = Double(digits), range.contains(value) else { return nil }
        return value
    }
}
