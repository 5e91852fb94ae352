internal import FileSystem
internal import LibraryStore

extension MusicFolder {
    /// Opens a folder for access to its entries. Links in the path are followed as long as they stay within
    /// the music folder; the resolved path is then opened step by step without following links, so that no
    /// one can redirect it by creating a link in the meantime.
    /// - Parameter folder: nil for the music folder itself.
    /// - Returns: nil if there is no such folder inside the music folder.
    func opened(folder: RelativePath?) -> Folder? {
        guard let parts = try? resolvedParts(of: folder) else { return nil }
        return try? Folder(pathBytes).folder(along: parts)
    }

    /// Opens a regular file for reading in the same way.
    /// - Throws: ``SystemError/notFound`` also if it is not a regular file in the music folder.
    func open(file: RelativePath) throws(SystemError) -> FileDescriptor {
        guard let parts = try resolvedParts(of: file), let name = parts.last else { throw .notFound }
        let file = try Folder(pathBytes).folder(along: parts.dropLast()).open(name)
        guard try file.status().kind == .file else { throw .notFound }
        return file
    }

    /// The path components from the music folder on, with links resolved; nil if they lead out of it.
    func resolvedParts(of path: RelativePath?) throws(SystemError) -> [ArraySlice<UInt8>]? {
        guard let path else { return [] }
        let resolved = try Files.resolvedPath(of: absolutePath(of: path))
        let slash = UInt8(ascii: "/")
        let root = pathBytes == [slash] ? [] : pathBytes
        guard resolved.starts(with: root + [slash]) else { return nil }
        return resolved.dropFirst(root.count + 1).split(separator: slash)
    }
}
