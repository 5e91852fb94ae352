/// A file in the trash.
public struct TrashItem: Codable, Sendable, Equatable {
    /// Its identifier in the trash.
    public var trashID: String
    /// The path that it had in the music folder, and gets again when it is restored.
    public var relativePath: String
    /// Its size in bytes.
    public var fileSizeBytes: Int
    /// When it was put there, in seconds since 1970.
    public var trashedAt: Double
    /// Number of the track; nil where the library does not know the path any more.
    public var trackID: Int?

    /// Puts the parts together.
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

/// A track that has come back from the trash.
public struct RestoredTrack: Codable, Sendable, Equatable {
    /// Number of the track; nil where the library could not be written at once.
    public var trackID: Int?
    /// Its path in the music folder.
    public var relativePath: String

    /// Puts the parts together.
    public init(trackID: Int?, relativePath: String) {
        self.trackID = trackID
        self.relativePath = relativePath
    }

    private enum CodingKeys: String, CodingKey {
        case trackID = "track_id"
        case relativePath = "relative_path"
    }
}
