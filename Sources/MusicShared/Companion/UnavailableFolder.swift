/// A subfolder of the music folder that is currently unavailable. The library keeps its tracks until it returns or the owner
/// confirms that it is gone.
public struct UnavailableFolder: Codable, Sendable, Equatable {
    /// The path that denotes the music folder itself.
    public static let musicFolder = "."

    /// Why a folder is unavailable.
    public enum Reason: String, Codable, Sendable, CaseIterable {
        /// A file system that was mounted here no longer is.
        case notMounted = "not_mounted"
        /// The folder, or files in it, are dangling symbolic links.
        case danglingLink = "dangling_link"
        /// The folder cannot be read.
        case unreadable
        /// The music folder contains no music files.
        case empty
        /// More than half of a large library is missing.
        case mostlyMissing = "mostly_missing"
    }

    /// The folder's path relative to the music folder, or ``musicFolder``.
    public var relativePath: String
    /// Number of library tracks that are kept although their files are missing.
    public var trackCount: Int
    /// Why it is unavailable.
    public var reason: Reason
    /// Human-readable reason.
    public var message: String

    /// A one-sentence summary: "Archive is not mounted: 57 tracks are missing".
    public var summary: String {
        let name = relativePath == Self.musicFolder ? "the music folder" : relativePath
        return
            "\(name) \(message): \(trackCount) \(trackCount == 1 ? "track is" : "tracks are") missing"
    }

    /// Memberwise initializer.
    public init(relativePath: String, trackCount: Int, reason: Reason, message: String) {
        self.relativePath = relativePath
        self.trackCount = trackCount
        self.reason = reason
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case trackCount = "track_count"
        case reason, message
    }
}

/// A request to treat unavailable folders as removed: `POST /library/unavailable-folders/confirm`.
public struct RemovalConfirmation: Codable, Sendable, Equatable {
    /// Paths of ``UnavailableFolder``s.
    public var relativePaths: [String]

    /// Memberwise initializer.
    public init(relativePaths: [String]) { self.relativePaths = relativePaths }

    private enum CodingKeys: String, CodingKey {
        case relativePaths = "relative_paths"
    }
}

/// Response to a ``RemovalConfirmation``.
public struct RemovalReport: Codable, Sendable, Equatable {
    /// Number of tracks that are no longer listed. A file that reappears becomes the same track again.
    public var removedCount: Int
    /// Folders that are still unavailable.
    public var unavailableFolders: [UnavailableFolder]

    /// Memberwise initializer.
    public init(removedCount: Int, unavailableFolders: [UnavailableFolder]) {
        self.removedCount = removedCount
        self.unavailableFolders = unavailableFolders
    }

    private enum CodingKeys: String, CodingKey {
        case removedCount = "removed_count"
        case unavailableFolders = "unavailable_folders"
    }
}
