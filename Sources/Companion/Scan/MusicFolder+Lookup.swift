internal import Analyzer
import Foundation

extension MusicFolder {
    /// The MP3 file at a path; nil if not found. Opens and reads nothing.
    ///
    /// A scan follows all links, since they were created by the folder's owner. This function is for paths
    /// that come from a client: a path that leads out of the folder through a link, or into the trash, is
    /// treated as not existing.
    public func entry(at path: RelativePath) -> Entry? {
        let name = path.bytes.suffix { $0 != UInt8(ascii: "/") }
        guard Self.isNamedMP3(Array(name)) else { return nil }
        let resolved: [UInt8]? = Self.withPath(absolutePath(of: path)) { path in
            guard let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
                UInt8(bitPattern: $0)
            }
        }
        guard let resolved, resolved.starts(with: pathBytes + [UInt8(ascii: "/")]),
            !Self.isTrash(resolved.dropFirst(pathBytes.count + 1))
        else { return nil }
        var status = stat()
        guard Self.withPath(resolved, { lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Entry(path: path, file: FileState(status), isRegular: true)
    }
}

extension MusicFolder {
    /// The entry that a scan would find at a path, following all links. Nil if there is no .mp3
    /// file. Only for paths from a scan or from the system, never for paths that come from a client.
    func scannedEntry(at path: RelativePath) -> Entry? {
        let name = path.bytes.suffix { $0 != UInt8(ascii: "/") }
        guard Self.isNamedMP3(Array(name)) else { return nil }
        var status = stat()
        guard Self.withPath(absolutePath(of: path), { stat($0, &status) }) == 0,
            status.st_mode & S_IFMT != S_IFDIR
        else { return nil }
        return Entry(path: path, file: FileState(status), isRegular: status.st_mode & S_IFMT == S_IFREG)
    }

    /// Whether the files of a folder can be listed and examined.
    func canRead(_ folder: RelativePath) -> Bool {
        Self.withPath(absolutePath(of: folder)) { access($0, R_OK | X_OK) } == 0
    }

    /// Whether there is a folder at a path.
    func hasFolder(at path: RelativePath) -> Bool {
        var status = stat()
        return Self.withPath(absolutePath(of: path), { stat($0, &status) }) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension [UInt8] {
    /// The longest suffix whose bytes all satisfy a condition.
    func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? 0)...]
    }
}
