/// Writes HLS playlists (RFC 8216): pure text from exact lengths, no I/O.
///
/// `EXT-X-INDEPENDENT-SEGMENTS` is never written: a segment of MP3 frames may need bits of the frames before it (the bit
/// reservoir), so the claim would be false.
public enum HLSManifestGenerator {
    /// MIME type of playlists.
    public static let contentType = "application/vnd.apple.mpegurl"
    /// CODECS value of MPEG layer III audio.
    public static let mp3Codec = "mp4a.40.34"

    /// A media playlist of a whole track.
    ///
    /// Durations have six decimals. Each is the difference of the rounded times at its ends, so that their sum is the
    /// rounded length of the track, however many segments there are.
    /// - Parameter segments: in order; all of the track, since the playlist ends with `EXT-X-ENDLIST`.
    public static func mediaPlaylist(_ segments: [HLSSegment]) -> String {
        var writer = HLSPlaylistWriter()
        let head = HLSPlaylistWriter.head(
            targetDuration: targetDuration(segments), hasByteRanges: segments.contains { $0.byteRange != nil }
        )
        return head + segments.map { writer.entry($0) }.joined() + HLSPlaylistWriter.end
    }

    /// A variant that a master playlist offers.
    public struct Variant: Sendable, Equatable {
        /// Where its media playlist is, relative to the master.
        public var uri: String
        /// Highest bit rate of any segment in bits per second, with everything that is sent for it.
        public var bandwidth: Int
        /// Mean bit rate over all segments in bits per second.
        public var averageBandwidth: Int
        /// CODECS.
        public var codecs: String

        /// Puts the parts together.
        public init(uri: String, bandwidth: Int, averageBandwidth: Int, codecs: String = mp3Codec) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
        }
    }

    /// A fact about the whole presentation, for players that ask.
    public struct SessionData: Sendable, Equatable {
        /// Name in reverse-DNS form.
        public var id: String
        /// Value; quotes and line breaks in it are replaced, since the format cannot hold them.
        public var value: String

        /// Puts the parts together.
        public init(id: String, value: String) {
            self.id = id
            self.value = value
        }
    }

    /// A master playlist.
    public static func masterPlaylist(variants: [Variant], sessionData: [SessionData]) -> String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:4"]
        for data in sessionData {
            lines.append("#EXT-X-SESSION-DATA:DATA-ID=\(quoted(data.id)),VALUE=\(quoted(data.value))")
        }
        for variant in variants {
            lines.append(
                "#EXT-X-STREAM-INF:BANDWIDTH=\(variant.bandwidth),AVERAGE-BANDWIDTH=\(variant.averageBandwidth),"
                    + "CODECS=\(quoted(variant.codecs))")
            lines.append(variant.uri)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The largest segment duration, rounded to whole seconds (RFC 8216, section 4.3.3.1).
    static func targetDuration(_ segments: [HLSSegment]) -> Int {
        let longest = segments.map { (2 * $0.sampleCount + $0.sampleRate) / (2 * $0.sampleRate) }.max() ?? 0
        return max(1, longest)
    }

    private static func quoted(_ text: String) -> String {
        "\"" + SingleLine.joined(text).replacing("\"", with: "\u{201D}") + "\""
    }
}
