/// Files with the same recording, and which of them is the best.
public struct DuplicateReport: Codable, Sendable, Equatable {
    /// A file of the group.
    public struct File: Codable, Sendable, Equatable {
        /// Track ID.
        public var trackID: Int
        /// Path relative to the music folder.
        public var relativePath: String
        /// Title in the tags.
        public var title: String?
        /// Artist in the tags.
        public var artist: String?
        /// Album in the tags.
        public var album: String?
        /// Average bit rate in bit/s.
        public var averageBitRate: Int?
        /// Length in seconds.
        public var durationSeconds: Double?
        /// Size in bytes.
        public var fileSizeBytes: Int
        /// Number of damaged frames.
        public var damagedFrameCount: Int?
        /// Fraction of the fingerprint's bits in which it differs from the best file; 0 for the same audio, nil for the best.
        public var difference: Double?
        /// Whether it is certainly the same recording as the best file; nil for the best. False for files in another sample rate
        /// or number of channels, whose spectra cannot be compared, and for those between an encoding and another mix.
        public var isCertain: Bool?
        /// Whether it was moved to the trash; nil if only listed.
        public var isMoved: Bool?

        /// Creates a file.
        public init(trackID: Int, relativePath: String, fileSizeBytes: Int) {
            self.trackID = trackID
            self.relativePath = relativePath
            self.fileSizeBytes = fileSizeBytes
        }

        private enum CodingKeys: String, CodingKey {
            case title, artist, album, difference
            case trackID = "track_id"
            case relativePath = "relative_path"
            case averageBitRate = "average_bit_rate_bps"
            case durationSeconds = "duration_seconds"
            case fileSizeBytes = "file_size_bytes"
            case damagedFrameCount = "damaged_frame_count"
            case isCertain = "is_certain"
            case isMoved = "is_moved"
        }
    }

    /// The file to keep: undamaged, of the highest bit rate, the longest, with the most tags, in this order.
    public var best: File
    /// The others, the best first.
    public var copies: [File]

    /// Memberwise initializer.
    public init(best: File, copies: [File]) {
        self.best = best
        self.copies = copies
    }
}

/// A page of the duplicates in the library.
public struct DuplicatePage: Codable, Sendable, Equatable {
    /// The groups from `offset`, at most `limit`; those with the largest copies first.
    public var items: [DuplicateReport]
    /// Number of groups in the library.
    public var total: Int
    /// Number of certain copies in all groups.
    public var copyCount: Int
    /// Size of these files in bytes.
    public var copyBytes: Int
    /// Maximum number of groups requested.
    public var limit: Int
    /// Number of groups before this page.
    public var offset: Int

    /// Memberwise initializer.
    public init(
        items: [DuplicateReport], total: Int, copyCount: Int, copyBytes: Int, limit: Int, offset: Int
    ) {
        self.items = items
        self.total = total
        self.copyCount = copyCount
        self.copyBytes = copyBytes
        self.limit = limit
        self.offset = offset
    }

    private enum CodingKeys: String, CodingKey {
        case items, total, limit, offset
        case copyCount = "copy_count"
        case copyBytes = "copy_bytes"
    }
}
