/// The requested profiles: the body of `POST /smart-dj/bulk-profiles`.
public struct BulkProfilesRequest: Codable, Sendable, Equatable {
    /// Maximum number of paths per request.
    public static let largestCount = 10_000

    /// Paths relative to the music folder, at most ``largestCount``.
    public var paths: [String]

    /// Memberwise initializer.
    public init(paths: [String]) { self.paths = paths }
}

/// Profiles of many tracks: the response to `/smart-dj/bulk-profiles`. Every requested path is in exactly one of the lists.
public struct BulkProfiles: Codable, Sendable, Equatable {
    /// The profiles, keyed by requested path.
    public var profiles: [String: SmartDJProfile]
    /// Tracks queued for analysis.
    public var pending: [PendingTrack]
    /// Files that cannot be analysed in their current state.
    public var failed: [FileFailure]
    /// Paths without a music file in the music folder.
    public var notFound: [String]

    /// Memberwise initializer.
    public init(
        profiles: [String: SmartDJProfile], pending: [PendingTrack] = [], failed: [FileFailure] = [],
        notFound: [String] = []
    ) {
        self.profiles = profiles
        self.pending = pending
        self.failed = failed
        self.notFound = notFound
    }

    private enum CodingKeys: String, CodingKey {
        case profiles, pending, failed
        case notFound = "not_found"
    }
}
