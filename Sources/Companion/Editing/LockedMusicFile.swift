internal import Analyzer
import Foundation

/// A file of the music folder, opened for an edit, and its folder; owns both descriptors.
///
/// All names are looked up relative to that folder, which was opened from the music folder step by step
/// without following links, so nothing outside is touched even if someone puts a link in the way in the
/// meantime.
final class LockedMusicFile {
    let path: RelativePath
    /// Descriptor of the folder that contains the file itself, after resolving links.
    let folder: Int32
    /// Name of the file in that folder.
    let name: [UInt8]
    let descriptor: Int32
    let status: stat

    var state: FileState { FileState(status) }
    var hasFurtherNames: Bool { status.st_nlink > 1 }

    /// Opens the file and locks it against other edits.
    /// - Throws: `notFound`, `outsideMusicFolder`, `notARegularFile`, `readOnly`, `busy`, `readFailed`.
    init(_ path: RelativePath, in music: MusicFolder) throws(TagEditError) {
        let parts = try Self.resolvedParts(of: path, in: music)
        var folder = MusicFolder.withPath(music.pathBytes) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        for part in parts.dropLast() where folder >= 0 {
            let next = MusicFolder.withPath(part) {
                openat(folder, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
            let code = errno
            close(folder)
            errno = code
            folder = next
        }
        guard folder >= 0, let name = parts.last else { throw Self.notOpened(errno, path) }
        let descriptor = MusicFolder.withPath(name) {
            openat(folder, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0 else {
            let code = errno
            close(folder)
            throw Self.notOpened(code, path)
        }
        var status = stat()
        let isExamined = fstat(descriptor, &status) == 0
        self.path = path
        self.folder = folder
        self.name = Array(name)
        self.descriptor = descriptor
        self.status = status
        guard isExamined else { throw Self.notOpened(errno, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TagEditError(.notARegularFile, "is not a regular file", path: path)
        }
        // Root may write read-only files too, but a file is marked read-only on purpose.
        let mayWrite = MusicFolder.withPath(self.name) { faccessat(folder, $0, W_OK, AT_EACCESS) } == 0
        guard status.st_mode & 0o222 != 0, mayWrite else {
            throw TagEditError(.readOnly, "is read-only", path: path)
        }
        // Some network file systems do not support locks; there, the check before the rename has to do.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw TagEditError(.busy, "is already being edited", path: path)
        }
    }

    deinit {
        close(descriptor)
        close(folder)
    }

    /// Verifies that the file has not changed since it was opened, and still has its name.
    /// - Throws: `changedMeanwhile`.
    func verifyUnchanged() throws(TagEditError) {
        var own = stat()
        var named = stat()
        guard fstat(descriptor, &own) == 0, FileState(own) == state,
            MusicFolder.withPath(name, { fstatat(folder, $0, &named, AT_SYMLINK_NOFOLLOW) }) == 0,
            named.st_dev == status.st_dev, named.st_ino == status.st_ino
        else {
            throw TagEditError(.changedMeanwhile, "was changed by another program", path: path)
        }
    }

    /// The path components from the music folder to the file, with links resolved.
    private static func resolvedParts(
        of path: RelativePath, in music: MusicFolder
    ) throws(TagEditError) -> [ArraySlice<UInt8>] {
        guard let resolved = MusicFolder.withPath(music.absolutePath(of: path), { realpath($0, nil) }) else {
            throw notOpened(errno, path)
        }
        defer { free(resolved) }
        let bytes = UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
            UInt8(bitPattern: $0)
        }
        let slash = UInt8(ascii: "/")
        let root = music.pathBytes == [slash] ? [] : music.pathBytes
        guard bytes.starts(with: root + [slash]) else {
            throw TagEditError(.outsideMusicFolder, "is outside the music folder", path: path)
        }
        return bytes.dropFirst(root.count + 1).split(separator: slash)
    }

    private static func notOpened(_ code: Int32, _ path: RelativePath) -> TagEditError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOENT, ENOTDIR: return TagEditError(.notFound, "does not exist", path: path)
        case ELOOP:
            return TagEditError(
                .outsideMusicFolder, "is a link that was just created, or a loop of links", path: path
            )
        default: return TagEditError(.readFailed, "cannot be opened: \(reason)", path: path)
        }
    }
}
