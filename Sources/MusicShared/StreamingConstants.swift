/// Constants shared by host and clients.
public enum StreamingConstants {
    /// Target duration of a segment in seconds.
    public static let segmentSeconds = 6.0
    /// Target duration of an MP3 segment that is made from another format: a few frames more, since frames of both formats do not
    /// start at the same times.
    public static let convertedSegmentSeconds = 6.12
    /// Default port of the host.
    public static let defaultPort: UInt16 = 8420
    /// Version of the protocol between host and clients; they connect only if it matches.
    public static let protocolVersion = 1
    /// Ping interval of the remote channel in seconds, for both sides.
    public static let pingSeconds = 5.0
    /// Number of unanswered pings after which the other side is considered lost.
    public static let missedPingLimit = 3
}
