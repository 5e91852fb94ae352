/// What has changed in a music folder: places to look at.
public struct FolderChanges: Sendable, Equatable {
    /// Files named .mp3 that are new, changed or gone.
    public var files: Set<RelativePath> = []
    /// Folders that are new or gone.
    public var folders: Set<RelativePath> = []

    /// Nothing.
    public init() {}

    /// Whether there is nothing to look at.
    public var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    /// What is at the places now.
    /// - Returns: the files that are there, and all places, at which tracks may be gone.
    func entries(in music: MusicFolder) -> (entries: [MusicFolder.Entry], places: [RelativePath]) {
        var found: [RelativePath: MusicFolder.Entry] = [:]
        for file in files { found[file] = music.scannedEntry(at: file) }
        for folder in folders where music.hasFolder(at: folder) {
            for entry in music.scan(below: folder).entries { found[entry.path] = entry }
        }
        return (Array(found.values), Array(files) + Array(folders))
    }
}
