/// How a host that follows another one keeps up with it.
public struct FollowingReport: Codable, Sendable, Equatable {
    /// Address of the primary.
    public var primary: String
    /// Whether the primary answered the last request.
    public var isPrimaryReachable: Bool
    /// Number of changes of rows of the library that have not been copied yet, as far as known.
    public var revisionsBehind: Int
    /// Seconds since the copy was last known to be equal to the primary's library.
    public var secondsBehind: Double
    /// Why the last attempt to copy failed; nil if it succeeded.
    public var lastError: String?
    /// Disk space used by copies of music files, in bytes; nil if the music folder is shared.
    public var cachedAudioBytes: Int?

    /// Creates a report of a follower that has not reached its primary yet.
    public init(primary: String) {
        self.primary = primary
        isPrimaryReachable = false
        revisionsBehind = 0
        secondsBehind = 0
    }

    private enum CodingKeys: String, CodingKey {
        case primary
        case isPrimaryReachable = "is_primary_reachable"
        case revisionsBehind = "revisions_behind"
        case secondsBehind = "seconds_behind"
        case lastError = "last_error"
        case cachedAudioBytes = "cached_audio_bytes"
    }
}
