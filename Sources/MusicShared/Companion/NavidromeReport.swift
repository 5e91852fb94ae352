/// State of the Navidrome notifications: in `GET /health`, and the response to `POST /rescan`.
public struct NavidromeReport: Codable, Sendable, Equatable {
    /// "idle", "waiting" (to send the first request or a retry) or "scanning".
    public var state: String
    /// Number of scans started in Navidrome.
    public var scanCount = 0
    /// Number of failed attempts.
    public var failureCount = 0
    /// Start of the last scan, in seconds since 1970.
    public var lastScan: Int?
    /// The last error; nil once a scan has started.
    public var lastError: String?

    /// Creates a report without scans or failures.
    public init(state: String) { self.state = state }

    private enum CodingKeys: String, CodingKey {
        case state
        case scanCount = "scan_count"
        case failureCount = "failure_count"
        case lastScan = "last_scan"
        case lastError = "last_error"
    }
}
