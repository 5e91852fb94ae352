/// Writes a media playlist piece by piece, so that its length does not affect memory use.
///
/// Durations have six decimals. Each is the difference of the rounded times at its ends, so that their sum is the rounded total
/// duration regardless of the number of segments.
public struct HLSPlaylistWriter: Sendable {
    private var clock = MicrosecondClock()

    /// Starts a playlist.
    public init() {}

    /// Returns the header.
    /// - Parameters:
    ///   - targetDuration: maximum segment duration, rounded, in seconds.
    ///   - hasByteRanges: whether segments are byte ranges of resources.
    ///   - hasMaps: whether segments have initialization segments.
    public static func head(
        targetDuration: Int, hasByteRanges: Bool = false, hasMaps: Bool = false
    ) -> String {
        // Fractional EXTINF needs version 3, byte ranges version 4, EXT-X-MAP version 6 (RFC 8216, section 7).
        """
        #EXTM3U
        #EXT-X-VERSION:\(hasMaps ? 6 : hasByteRanges ? 4 : 3)
        #EXT-X-TARGETDURATION:\(targetDuration)
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD

        """
    }

    /// Returns the lines of the next segment.
    public mutating func entry(_ segment: HLSSegment) -> String {
        var text = segment.isDiscontinuity ? "#EXT-X-DISCONTINUITY\n" : ""
        if let map = segment.map { text += "#EXT-X-MAP:URI=\"\(map)\"\n" }
        let title = SingleLine.joined(segment.title)
        text += "#EXTINF:\(Self.decimal(microseconds: clock.advance(segment))),\(title)\n"
        if let range = segment.byteRange {
            text += "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)\n"
        }
        return text + segment.uri + "\n"
    }

    /// Returns a comment line, which players ignore.
    public static func comment(_ text: String) -> String { "# \(SingleLine.joined(text))\n" }

    /// The end marker.
    public static let end = "#EXT-X-ENDLIST\n"

    private static func decimal(microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

/// Accumulates exact durations and returns them in whole microseconds.
private struct MicrosecondClock {
    /// Samples since the last change of sample rate.
    private var samples = 0
    private var sampleRate = 0
    /// Microseconds before that change, and since.
    private var base = 0
    private var elapsed = 0

    /// Advances by a segment.
    /// - Returns: the microseconds between the rounded times at its ends.
    mutating func advance(_ segment: HLSSegment) -> Int {
        if segment.sampleRate != sampleRate {
            base += elapsed
            elapsed = 0
            samples = 0
            sampleRate = segment.sampleRate
        }
        samples += segment.sampleCount
        let now = (samples * 1_000_000 + sampleRate / 2) / sampleRate
        defer { elapsed = now }
        return now - elapsed
    }
}
