internal import Analyzer
import Foundation

extension MusicFolder {
    /// The MP3 at a path; nil where there is none. Nothing is opened or read.
    ///
    /// Unlike a scan, which follows the links that the folder's owner has laid, this answers a path that somebody names: one
    /// that leads out of the folder over a link, or into the trash, is taken for one that is not there.
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
    /// What a scan would meet at a path: links are followed wherever they lead, as the folder's owner has laid them. Nil where
    /// nothing named .mp3 is. For paths that a scan or the system told of, never for those that somebody names.
    func scannedEntry(at path: RelativePath) -> Entry? {
        let name = path.bytes.suffix { $0 != UInt8(ascii: "/") }
        guard Self.isNamedMP3(Array(name)) else { return nil }
        var status = stat()
        guard Self.withPath(absolutePath(of: path), { stat($0, &status) }) == 0,
            status.st_mode & S_IFMT != S_IFDIR
        else { return nil }
        return Entry(path: path, file: FileState(status), isRegular: status.st_mode & S_IFMT == S_IFREG)
    }

    /// Whether a folder is at a path.
    func hasFolder(at path: RelativePath) -> Bool {
        var status = stat()
        return Self.withPath(absolutePath(of: path), { stat($0, &status) }) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension [UInt8] {
    /// The longest end all of whose bytes satisfy a condition.
    func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? 0)...]
    }
}
