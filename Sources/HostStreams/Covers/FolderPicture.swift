internal import FileSystem
internal import HTTPServer
internal import LibraryStore
internal import MusicFiles

/// Finds a picture file in a track's folder, by the names of ``CoverFileName``.
struct FolderPicture {
    let music: MusicFolder

    /// Opens the picture in a track's folder; nil if no picture is found.
    ///
    /// Symbolic links must lead to files within the music folder: a user with write access to it must not be
    /// able to expose other files of this machine.
    func file(beside track: RelativePath) -> HTTPFile? {
        let folder = track.folder.map(music.absolutePath(of:)) ?? music.pathBytes
        for name in candidates(in: folder) {
            guard let path = try? Files.resolvedPath(of: folder + [UInt8(ascii: "/")] + name),
                path.starts(with: music.pathBytes + [UInt8(ascii: "/")]),
                let file = try? HTTPFile(pathBytes: path), file.byteCount > 0
            else { continue }
            return file
        }
        return nil
    }

    /// Returns the names of candidate pictures, best first.
    private func candidates(in folder: [UInt8]) -> [[UInt8]] {
        guard let folder = try? Folder(folder) else { return [] }
        let found = folder.names().compactMap { name in
            CoverFileName.rank(name).map { (rank: $0, name: name) }
        }
        return found.sorted { a, b in
            a.rank == b.rank ? a.name.lexicographicallyPrecedes(b.name) : a.rank < b.rank
        }.map(\.name)
    }
}
