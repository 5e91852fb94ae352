/// How the host does with telling Navidrome of changes: in `GET /health`, and the answer to `POST /rescan`.
public struct NavidromeReport: Codable, Sendable, Equatable {
    /// "idle", "waiting" (to ask, or to ask again) or "scanning".
    public var state: String
    /// Scans that Navidrome was asked for and began.
    public var scanCount = 0
    /// Attempts that failed.
    public var failureCount = 0
    /// When the last scan began, in seconds since 1970.
    public var lastScan: Int?
    /// What went wrong the last time; not there once a scan has begun.
    public var lastError: String?

    /// Nothing done yet.
    public init(state: String) { self.state = state }

    private enum CodingKeys: String, CodingKey {
        case state
        case scanCount = "scan_count"
        case failureCount = "failure_count"
        case lastScan = "last_scan"
        case lastError = "last_error"
    }
}
