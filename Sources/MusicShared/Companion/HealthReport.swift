/// Response to `GET /health`: everyone gets the status; the other values require the key.
public struct HealthReport: Codable, Sendable, Equatable {
    /// "ok".
    public var status: String
    /// Name and version of the host.
    public var version: String?
    /// Seconds since the host was started.
    public var uptimeSeconds: Double?
    /// Number of playable tracks.
    public var trackCount: Int?
    /// Number of distinct recordings (audio hashes) with a profile.
    public var profileCount: Int?
    /// Number of distinct recordings with visualizer frames.
    public var spectrumCacheSize: Int?
    /// Disk space used by visualizer frames, in bytes.
    public var spectrumCacheBytes: Int?
    /// Number of clients on the remote channel and the event channel.
    public var connectedClients: Int?
    /// Number of files waiting for analysis or being analysed.
    public var queueLength: Int?
    /// The host's tunnel, if enabled.
    public var tunnel: TunnelReport?

    /// Files processed since the host was started.
    public var analyses: AnalysisCounts?
    /// Subfolders of the music folder that are currently unavailable and whose tracks are kept.
    public var unavailableFolders: [UnavailableFolder]?
    /// State of the Navidrome notifications; nil if Navidrome is not configured.
    public var navidrome: NavidromeReport?

    /// How the host keeps up with the one that it follows; nil for a host that follows none.
    public var following: FollowingReport?
    /// How the host keeps up with the listening data that it shares with others; nil for a host that has its own.
    public var sharedListening: SharedListeningReport?

    /// Creates a report with the status only.
    public init(status: String) { self.status = status }

    private enum CodingKeys: String, CodingKey {
        case status, version, tunnel, analyses, navidrome, following
        case sharedListening = "shared_listening"
        case uptimeSeconds = "uptime_seconds"
        case trackCount = "track_count"
        case profileCount = "profile_count"
        case spectrumCacheSize = "vis_cache_size"
        case spectrumCacheBytes = "vis_cache_bytes"
        case connectedClients = "connected_clients"
        case queueLength = "queue_length"
        case unavailableFolders = "unavailable_folders"
    }
}
