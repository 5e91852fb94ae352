import Foundation

/// A file descriptor that is closed with the last reference.
final class OpenDescriptor {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }
}

extension MusicFolder {
    /// Opens a folder for access to its entries. Links in the path are followed as long as they stay within
    /// the music folder; the resolved path is then opened step by step without following links, so that no
    /// one can redirect it by creating a link in the meantime.
    /// - Parameter folder: nil for the music folder itself.
    /// - Returns: nil if there is no such folder inside the music folder.
    func opened(folder: RelativePath?) -> OpenDescriptor? {
        guard let parts = resolvedParts(of: folder) else { return nil }
        return opened(parts)
    }

    /// Opens a regular file for reading in the same way; nil if there is no such file.
    func opened(file: RelativePath) -> OpenDescriptor? {
        guard let parts = resolvedParts(of: file), let name = parts.last,
            let folder = opened(Array(parts.dropLast()))
        else { return nil }
        let descriptor = Self.withPath(name) {
            openat(folder.number, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0 else { return nil }
        let file = OpenDescriptor(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return file
    }

    private func opened(_ parts: [ArraySlice<UInt8>]) -> OpenDescriptor? {
        var folder = OpenDescriptor(
            Self.withPath(pathBytes) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        for part in parts where folder.number >= 0 {
            folder = OpenDescriptor(
                Self.withPath(part) {
                    openat(folder.number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                })
        }
        return folder.number >= 0 ? folder : nil
    }

    /// The path components from the music folder on, with links resolved.
    private func resolvedParts(of path: RelativePath?) -> [ArraySlice<UInt8>]? {
        guard let path else { return [] }
        guard let resolved = Self.withPath(absolutePath(of: path), { realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        let bytes = UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
            UInt8(bitPattern: $0)
        }
        let slash = UInt8(ascii: "/")
        let root = pathBytes == [slash] ? [] : pathBytes
        guard bytes.starts(with: root + [slash]) else { return nil }
        return bytes.dropFirst(root.count + 1).split(separator: slash)
    }
}
