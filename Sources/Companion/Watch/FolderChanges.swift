/// What has changed in a music folder: places to look at.
public struct FolderChanges: Sendable, Equatable {
    /// Files named .mp3 that are new, changed or gone.
    public var files: Set<RelativePath> = []
    /// Folders that are new or gone. The files of new ones are among ``files`` once they are complete.
    public var folders: Set<RelativePath> = []

    /// Nothing.
    public init() {}

    /// Whether there is nothing to look at.
    public var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    /// The files that are there now. What is in the folders is told of by itself, file by file.
    func entries(in music: MusicFolder) -> [MusicFolder.Entry] {
        files.compactMap { music.scannedEntry(at: $0) }
    }

    /// All places, at which tracks may be gone.
    var places: [RelativePath] { Array(files) + Array(folders) }
}
