/// Numbers that host and clients agree on.
public enum StreamingConstants {
    /// Target duration of a segment in seconds.
    public static let segmentSeconds = 6.0
    /// The host's port where none is named.
    public static let defaultPort: UInt16 = 8420
    /// Version of the protocol between host and clients; they talk only if it is the same.
    public static let protocolVersion = 1
    /// How often each side of the remote channel is pinged, in seconds.
    public static let pingSeconds = 5.0
    /// After how many pings without any sign of life the other side counts as lost.
    public static let missedPingLimit = 3
}
