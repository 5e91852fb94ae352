/// A file in the trash.
public struct TrashItem: Codable, Sendable, Equatable {
    /// ID in the trash.
    public var trashID: String
    /// Path relative to the music folder before the move, and after it is restored.
    public var relativePath: String
    /// Size in bytes.
    public var fileSizeBytes: Int
    /// Time it was moved to the trash, in seconds since 1970.
    public var trashedAt: Double
    /// Track ID; nil if the library no longer knows the path.
    public var trackID: Int?

    /// Memberwise initializer.
    public init(
        trashID: String, relativePath: String, fileSizeBytes: Int, trashedAt: Double, trackID: Int? = nil
    ) {
        self.trashID = trashID
        self.relativePath = relativePath
        self.fileSizeBytes = fileSizeBytes
        self.trashedAt = trashedAt
        self.trackID = trackID
    }

    private enum CodingKeys: String, CodingKey {
        case trashID = "trash_id"
        case relativePath = "relative_path"
        case fileSizeBytes = "file_size_bytes"
        case trashedAt = "trashed_at"
        case trackID = "track_id"
    }
}

/// A track restored from the trash.
public struct RestoredTrack: Codable, Sendable, Equatable {
    /// Track ID; nil if the library could not be updated immediately.
    public var trackID: Int?
    /// Path relative to the music folder.
    public var relativePath: String

    /// Memberwise initializer.
    public init(trackID: Int?, relativePath: String) {
        self.trackID = trackID
        self.relativePath = relativePath
    }

    private enum CodingKeys: String, CodingKey {
        case trackID = "track_id"
        case relativePath = "relative_path"
    }
}
