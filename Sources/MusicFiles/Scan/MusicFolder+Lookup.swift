internal import Analyzer
internal import FileSystem
package import LibraryStore

extension MusicFolder {
    /// The music file at a path; nil if not found. Opens and reads nothing.
    ///
    /// A scan follows all links, since they were created by the folder's owner. This function is for paths
    /// that come from a client: a path that leads out of the folder through a link, or into the trash, is
    /// treated as not existing.
    package func entry(at path: RelativePath) -> Entry? {
        let name = path.bytes.suffix { $0 != UInt8(ascii: "/") }
        guard Self.isMusicFile(named: Array(name)) else { return nil }
        guard let resolved = try? Files.resolvedPath(of: absolutePath(of: path)),
            resolved.starts(with: pathBytes + [UInt8(ascii: "/")]),
            !Self.isTrash(resolved.dropFirst(pathBytes.count + 1)),
            let status = try? Files.status(of: resolved, followsLinks: false), status.kind == .file
        else { return nil }
        return Entry(path: path, file: FileState(status), isRegular: true)
    }
}

extension MusicFolder {
    /// The entry that a scan would find at a path, following all links. Nil if there is no music
    /// file. Only for paths from a scan or from the system, never for paths that come from a client.
    package func scannedEntry(at path: RelativePath) -> Entry? {
        let name = path.bytes.suffix { $0 != UInt8(ascii: "/") }
        guard Self.isMusicFile(named: Array(name)) else { return nil }
        guard let status = try? Files.status(of: absolutePath(of: path)), status.kind != .folder else {
            return nil
        }
        return Entry(path: path, file: FileState(status), isRegular: status.kind == .file)
    }

    /// Whether the files of a folder can be listed and examined.
    package func canRead(_ folder: RelativePath) -> Bool {
        (try? Files.checkReadable(folder: absolutePath(of: folder))) != nil
    }

    /// Whether there is a folder at a path.
    package func hasFolder(at path: RelativePath) -> Bool {
        (try? Files.status(of: absolutePath(of: path)))?.kind == .folder
    }
}

extension [UInt8] {
    /// The longest suffix whose bytes all satisfy a condition.
    func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? 0)...]
    }
}
