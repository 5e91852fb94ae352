internal import Analyzer
internal import CFileCopy
import Foundation
internal import Tagging

/// The new file of an edit, under a hidden name in the same folder until it replaces the old one. If it does
/// not, it is deleted when the last reference goes.
///
/// It is locked while the process runs, so an unlocked one is known to be left over.
final class ReplacementFile {
    /// Spare space in bytes that the new file may need for its directory entry and its attributes.
    private static let spaceMargin = 1 << 20

    let descriptor: Int32
    private let file: LockedMusicFile
    private let name: [UInt8]
    private var isInPlace = false

    /// Creates an empty file with the original's owner, mode and attributes.
    /// - Throws: `noSpace`, `readOnly`, `cannotKeepOwner`, `writeFailed`.
    init(of file: LockedMusicFile, byteCount: Int) throws(TagEditError) {
        var space = statvfs()
        if fstatvfs(file.folder, &space) == 0 {
            let free = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
            guard free.overflow || free.partialValue >= UInt64(byteCount + Self.spaceMargin) else {
                throw TagEditError(
                    .noSpace, "needs \(byteCount) bytes of free disk space to be edited", path: file.path)
            }
        }
        let name = ReplacementName.random()
        let descriptor = MusicFolder.withPath(name) {
            openat(file.folder, $0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        }
        guard descriptor >= 0 else { throw Self.notWritten(errno, file.path) }
        self.file = file
        self.name = name
        self.descriptor = descriptor
        flock(descriptor, LOCK_EX | LOCK_NB)
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw Self.notWritten(errno, file.path) }
        if own.st_uid != file.status.st_uid || own.st_gid != file.status.st_gid,
            fchown(descriptor, file.status.st_uid, file.status.st_gid) != 0
        {
            throw TagEditError(
                .cannotKeepOwner, "belongs to a user or group that the new file cannot be given to",
                path: file.path)
        }
        guard file_copy_attributes(file.descriptor, descriptor) == 0,
            fchmod(descriptor, file.status.st_mode & 0o7777) == 0
        else { throw Self.notWritten(errno, file.path) }
    }

    deinit {
        if !isInPlace { _ = MusicFolder.withPath(name) { unlinkat(file.folder, $0, 0) } }
        close(descriptor)
    }

    /// Writes the new file and syncs it to disk.
    /// - Throws: `noSpace`, `readFailed`, `changedMeanwhile`, `writeFailed`.
    func write(_ rewrite: TagRewrite) throws(TagEditError) {
        try write(rewrite.leading)
        if file_copy_run(file.descriptor, rewrite.kept.lowerBound, rewrite.kept.count, descriptor) != 0 {
            guard errno != ENODATA else {
                throw TagEditError(.changedMeanwhile, "was truncated during the edit", path: file.path)
            }
            throw Self.notWritten(errno, file.path)
        }
        try write(rewrite.trailing)
        guard fsync(descriptor) == 0 else { throw Self.notWritten(errno, file.path) }
    }

    /// Renames the new file over the old one; its modification time always differs from the old file's.
    /// - Throws: `changedMeanwhile`, `readOnly`, `writeFailed`.
    /// - Returns: the new file's state.
    func takePlace() throws(TagEditError) -> FileState {
        var own = stat()
        guard fstat(descriptor, &own) == 0 else { throw Self.notWritten(errno, file.path) }
        if FileState(own).modificationTimeNanoseconds == file.state.modificationTimeNanoseconds {
            // The kernel's clock for file times ticks a few hundred times a second: two edits may fall within
            // one tick.
            var times = [own.st_mtim, own.st_mtim]
            times[1].tv_nsec += times[1].tv_nsec < 998_000_000 ? 1_000_000 : -1_000_000
            guard futimens(descriptor, times) == 0, fsync(descriptor) == 0, fstat(descriptor, &own) == 0
            else {
                throw Self.notWritten(errno, file.path)
            }
        }
        try file.verifyUnchanged()
        let renamed = MusicFolder.withPath(name) { from in
            MusicFolder.withPath(file.name) { renameat(file.folder, from, file.folder, $0) }
        }
        guard renamed == 0 else { throw Self.notWritten(errno, file.path) }
        isInPlace = true
        // If this fails, a power loss may bring the old file back: a complete file either way.
        _ = fsync(file.folder)
        return FileState(own)
    }

    private func write(_ bytes: [UInt8]) throws(TagEditError) {
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.notWritten(errno, file.path) }
            start += written
        }
    }

    private static func notWritten(_ code: Int32, _ path: RelativePath) -> TagEditError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            return TagEditError(.noSpace, "has no space for its new version: \(reason)", path: path)
        case EACCES, EPERM, EROFS:
            return TagEditError(.readOnly, "cannot be replaced: \(reason)", path: path)
        default: return TagEditError(.writeFailed, "could not be written: \(reason)", path: path)
        }
    }
}
