/// Which profiles are wanted: the content of `POST /smart-dj/bulk-profiles`.
public struct BulkProfilesRequest: Codable, Sendable, Equatable {
    /// The most paths of a request.
    public static let largestCount = 10_000

    /// Paths in the music folder, at most ``largestCount``.
    public var paths: [String]

    /// Takes the paths.
    public init(paths: [String]) { self.paths = paths }
}

/// Profiles of many tracks: the answer to `/smart-dj/bulk-profiles`. Every path that was asked for is in one of the parts.
public struct BulkProfiles: Codable, Sendable, Equatable {
    /// The profiles, by the paths that were asked for.
    public var profiles: [String: SmartDJProfile]
    /// Tracks that are not analysed yet, and are going to be.
    public var pending: [PendingTrack]
    /// Files that cannot be analysed as they are.
    public var failed: [FileFailure]
    /// Paths at which the music folder has no MP3.
    public var notFound: [String]

    /// Puts the parts together.
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
