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
    /// A file that cannot be analysed as it is.
    public struct Failure: Codable, Sendable, Equatable {
        /// Path in the music folder.
        public var relativePath: String
        /// The stable name of the reason's kind.
        public var code: String
        /// The reason, for a person to read.
        public var message: String

        /// Puts the parts together.
        public init(relativePath: String, code: String, message: String) {
            self.relativePath = relativePath
            self.code = code
            self.message = message
        }

        private enum CodingKeys: String, CodingKey {
            case relativePath = "relative_path"
            case code, message
        }
    }

    /// The profiles, by the paths that were asked for.
    public var profiles: [String: SmartDJProfile]
    /// Tracks that are not analysed yet, and are going to be.
    public var pending: [PendingTrack]
    /// Files that cannot be analysed as they are.
    public var failed: [Failure]
    /// Paths at which the music folder has no MP3.
    public var notFound: [String]

    /// Puts the parts together.
    public init(
        profiles: [String: SmartDJProfile], pending: [PendingTrack] = [], failed: [Failure] = [],
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
