/// Answer to `GET /health`: the status for everybody, the rest for who has the key.
public struct HealthReport: Codable, Sendable, Equatable {
    /// "ok".
    public var status: String
    /// Name and version of the program.
    public var version: String?
    /// Seconds since the host was started.
    public var uptimeSeconds: Double?
    /// Tracks that can be played.
    public var trackCount: Int?
    /// Pieces of audio that have a profile.
    public var profileCount: Int?
    /// Pieces of audio that have visualizer frames.
    public var frameCacheSize: Int?
    /// Bytes that the visualizer frames take on disk.
    public var frameCacheBytes: Int?
    /// Clients on the remote channel and on the channel of events.
    public var connectedClients: Int?
    /// Files that wait for their analysis or are being analysed.
    public var queueLength: Int?
    /// The host's tunnel, where it has one.
    public var tunnel: TunnelReport?

    /// Files that the host has dealt with since it was started.
    public var analyses: AnalysisCounts?
    /// How the host does with telling Navidrome of changes; not there where no Navidrome is set.
    public var navidrome: NavidromeReport?

    /// The bare status.
    public init(status: String) { self.status = status }

    private enum CodingKeys: String, CodingKey {
        case status, version, tunnel, analyses, navidrome
        case uptimeSeconds = "uptime_seconds"
        case trackCount = "track_count"
        case profileCount = "profile_count"
        case frameCacheSize = "vis_cache_size"
        case frameCacheBytes = "vis_cache_bytes"
        case connectedClients = "connected_clients"
        case queueLength = "queue_length"
    }
}
