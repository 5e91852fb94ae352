/// Changes in a music folder: the places to check.
public struct FolderChanges: Sendable, Equatable {
    /// .mp3 files that are new, changed or deleted.
    public var files: Set<RelativePath> = []
    /// Folders that are new or deleted. Files in new folders are added to ``files`` once they are complete.
    public var folders: Set<RelativePath> = []

    /// Creates an empty set of changes.
    public init() {}

    /// Whether there is nothing to check.
    public var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    /// Number of places.
    var count: Int { files.count + folders.count }

    /// Adds other changes.
    mutating func formUnion(_ other: FolderChanges) {
        files.formUnion(other.files)
        folders.formUnion(other.folders)
    }

    /// The files that exist now. The contents of the folders are reported separately, file by file.
    func entries(in music: MusicFolder) -> [MusicFolder.Entry] {
        files.compactMap { music.scannedEntry(at: $0) }
    }

    /// All places at which tracks may be missing.
    var places: [RelativePath] { Array(files) + Array(folders) }
}
