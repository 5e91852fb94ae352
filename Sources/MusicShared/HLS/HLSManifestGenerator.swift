/// Writes HLS playlists (RFC 8216): plain text from exact durations, no I/O.
///
/// `EXT-X-INDEPENDENT-SEGMENTS` is never written: a segment of MP3 frames may depend on bits of earlier frames (the bit
/// reservoir), so the claim would be false.
public enum HLSManifestGenerator {
    /// MIME type of playlists.
    public static let contentType = "application/vnd.apple.mpegurl"
    /// CODECS value of MPEG Layer III audio.
    public static let mp3Codec = "mp4a.40.34"

    /// Returns a media playlist of a whole track.
    ///
    /// Durations have six decimals. Each is the difference of the rounded times at its ends, so that their sum is the rounded
    /// duration of the track regardless of the number of segments.
    /// - Parameter segments: all segments of the track in order, since the playlist ends with `EXT-X-ENDLIST`.
    public static func mediaPlaylist(_ segments: [HLSSegment]) -> String {
        var writer = HLSPlaylistWriter()
        let head = HLSPlaylistWriter.head(
            targetDuration: targetDuration(segments),
            hasByteRanges: segments.contains { $0.byteRange != nil },
            hasMaps: segments.contains { $0.map != nil })
        return head + segments.map { writer.entry($0) }.joined() + HLSPlaylistWriter.end
    }

    /// A variant offered by a master playlist.
    public struct Variant: Sendable, Equatable {
        /// URI of its media playlist, relative to the master playlist.
        public var uri: String
        /// Peak bit rate of any segment in bits per second, including overhead.
        public var bandwidth: Int
        /// Average bit rate over all segments in bits per second.
        public var averageBandwidth: Int
        /// Value of the CODECS attribute.
        public var codecs: String

        /// Memberwise initializer.
        public init(uri: String, bandwidth: Int, averageBandwidth: Int, codecs: String = mp3Codec) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
        }
    }

    /// Session data about the whole presentation.
    public struct SessionData: Sendable, Equatable {
        /// DATA-ID in reverse-DNS form.
        public var id: String
        /// Value; quotes and line breaks are replaced, since the format cannot represent them.
        public var value: String

        /// Memberwise initializer.
        public init(id: String, value: String) {
            self.id = id
            self.value = value
        }
    }

    /// Returns a master playlist.
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

    /// Returns the longest segment duration, rounded to whole seconds (RFC 8216, section 4.3.3.1).
    static func targetDuration(_ segments: [HLSSegment]) -> Int {
        let longest = segments.map { (2 * $0.sampleCount + $0.sampleRate) / (2 * $0.sampleRate) }.max() ?? 0
        return max(1, longest)
    }

    private static func quoted(_ text: String) -> String {
        "\"" + SingleLine.joined(text).replacing("\"", with: "\u{201D}") + "\""
    }
}
