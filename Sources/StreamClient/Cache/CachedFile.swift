/// The cache state of one track's file.
public struct CachedFile: Sendable, Equatable {
    /// The download state.
    public enum State: Sendable, Equatable {
        /// Queued; part of the file may already have been downloaded.
        case pending
        /// Being downloaded.
        case downloading
        /// Completely downloaded.
        case complete
        /// The download failed for the given reason. It is retried on the next request for the file.
        case failed(reason: String)
    }

    /// The track's id.
    public var trackID: Int
    /// The download state.
    public var state: State
    /// Number of bytes downloaded so far.
    public var receivedBytes: Int
    /// Size of the file in bytes; nil until the host has reported it.
    public var totalBytes: Int?
    /// Whether the file is kept for offline use; such files are never evicted.
    public var isKept: Bool
}

/// The priority of a file. Files of the same priority are downloaded in the order in which they were requested.
public enum CachePriority: Int, Sendable, Comparable, CaseIterable {
    /// Kept for offline use.
    case offline = 0
    /// Played some tracks later.
    case upcoming = 1
    /// Played next.
    case next = 2
    /// Being played.
    case current = 3

    /// Orders priorities by urgency.
    public static func < (one: CachePriority, other: CachePriority) -> Bool {
        one.rawValue < other.rawValue
    }
}
