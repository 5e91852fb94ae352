internal import CFileCopy
import Foundation

/// Moves and renames files so that at any moment there is one complete file under one of the two names, and
/// an existing file with the new name is never overwritten.
enum FileMove {
    /// Moves a file that has been synced to disk.
    ///
    /// To another file system, it is first copied under a hidden name;
    /// ``MusicFolder/removeEditLeftovers(olderThanSeconds:)`` deletes a copy left by a killed process.
    /// - Returns: false if the new name is taken; the file has not been moved then.
    /// - Throws: `noSpace`, `readOnly`, `writeFailed`; the file has not been moved then.
    static func move(
        _ name: [UInt8], in folder: OpenFolder, to newName: [UInt8], in newFolder: OpenFolder
    ) throws(IntakeError) -> Bool {
        if rename(name, folder, newName, newFolder) {
            // If this fails, the file may have its old name after a power loss: a complete file either way.
            _ = fsync(newFolder.descriptor)
            _ = fsync(folder.descriptor)
            return true
        }
        switch errno {
        case EEXIST: return false
        case EXDEV: return try copy(name, folder, newName, newFolder)
        default: throw .system(errno, String(decoding: newName, as: UTF8.self))
        }
    }

    private static func rename(
        _ name: [UInt8], _ folder: OpenFolder, _ newName: [UInt8], _ newFolder: OpenFolder
    ) -> Bool {
        MusicFolder.withPath(name) { from in
            MusicFolder.withPath(newName) {
                file_move_to_free_name(folder.descriptor, from, newFolder.descriptor, $0) == 0
            }
        }
    }

    private static func copy(
        _ name: [UInt8], _ folder: OpenFolder, _ newName: [UInt8], _ newFolder: OpenFolder
    ) throws(IntakeError) -> Bool {
        // Avoids a useless copy; only the rename below is reliable.
        guard newFolder.status(of: newName) == nil else { return false }
        let subject = String(decoding: newName, as: UTF8.self)
        let source = MusicFolder.withPath(name) {
            openat(folder.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard source >= 0 else { throw .system(errno, subject) }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0 else { throw .system(errno, subject) }
        let copyName = ReplacementName.random()
        let copy = MusicFolder.withPath(copyName) {
            openat(
                newFolder.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        }
        guard copy >= 0 else { throw .system(errno, subject) }
        defer { close(copy) }
        // Locked while the process runs, so an unlocked copy is known to be left over.
        flock(copy, LOCK_EX | LOCK_NB)
        let isCopied =
            file_copy_run(source, 0, Int(status.st_size), copy) == 0
            && fchmod(copy, status.st_mode & 0o7777) == 0
            && futimens(copy, [status.st_atim, status.st_mtim]) == 0 && fsync(copy) == 0
        let isInPlace = isCopied && rename(copyName, newFolder, newName, newFolder)
        if isInPlace {
            _ = fsync(newFolder.descriptor)
            _ = MusicFolder.withPath(name) { unlinkat(folder.descriptor, $0, 0) }
            return true
        }
        let number = errno
        _ = MusicFolder.withPath(copyName) { unlinkat(newFolder.descriptor, $0, 0) }
        if isCopied, number == EEXIST { return false }
        throw .system(number, subject)
    }
}
