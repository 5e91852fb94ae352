package import LibraryStore

/// Changes in a music folder: the places to check.
package struct FolderChanges: Sendable, Equatable {
    /// Music files that are new, changed or deleted.
    package var files: Set<RelativePath> = []
    /// Folders that are new or deleted. Files in new folders are added to ``files`` once they are complete.
    package var folders: Set<RelativePath> = []

    /// Creates an empty set of changes.
    package init() {}

    /// Whether there is nothing to check.
    package var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    /// Number of places.
    package var count: Int { files.count + folders.count }

    /// Adds other changes.
    package mutating func formUnion(_ other: FolderChanges) {
        files.formUnion(other.files)
        folders.formUnion(other.folders)
    }

    /// The files that exist now. The contents of the folders are reported separately, file by file.
    package func entries(in music: MusicFolder) -> [MusicFolder.Entry] {
        files.compactMap { music.scannedEntry(at: $0) }
    }

    /// All places at which tracks may be missing.
    package var places: [RelativePath] { Array(files) + Array(folders) }
}
