/// Writes a media playlist of a whole presentation piece by piece, so that one of any length takes little memory.
///
/// Durations have six decimals. Each is the difference of the rounded times at its ends, so that their sum is the rounded
/// length of all, however many segments there are.
public struct HLSPlaylistWriter: Sendable {
    private var clock = MicrosecondClock()

    /// Begins a playlist.
    public init() {}

    /// What comes first.
    /// - Parameters:
    ///   - targetDuration: no segment is longer than this, rounded, in seconds.
    ///   - hasByteRanges: whether segments are parts of resources.
    public static func head(targetDuration: Int, hasByteRanges: Bool = false) -> String {
        // Fractional EXTINF needs version 3, byte ranges version 4 (RFC 8216, section 7).
        """
        #EXTM3U
        #EXT-X-VERSION:\(hasByteRanges ? 4 : 3)
        #EXT-X-TARGETDURATION:\(targetDuration)
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD

        """
    }

    /// The lines of the next segment.
    public mutating func entry(_ segment: HLSSegment) -> String {
        var text = segment.isDiscontinuity ? "#EXT-X-DISCONTINUITY\n" : ""
        let title = SingleLine.joined(segment.title)
        text += "#EXTINF:\(Self.decimal(microseconds: clock.advance(segment))),\(title)\n"
        if let range = segment.byteRange {
            text += "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)\n"
        }
        return text + segment.uri + "\n"
    }

    /// A line that players pass over.
    public static func comment(_ text: String) -> String { "# \(SingleLine.joined(text))\n" }

    /// What comes last.
    public static let end = "#EXT-X-ENDLIST\n"

    private static func decimal(microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

/// Adds up exact lengths and reads them off in whole microseconds.
private struct MicrosecondClock {
    /// Samples since the last change of rate.
    private var samples = 0
    private var sampleRate = 0
    /// Microseconds read off before that change, and since.
    private var base = 0
    private var elapsed = 0

    /// Moves on by a segment.
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
