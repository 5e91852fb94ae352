internal import CFileCopy
import Foundation

/// Gives files other names and folders, so that at any moment there is one whole file under the one name or the other, and
/// nothing that has the new name already is lost.
enum FileMove {
    /// Moves a file whose bytes the disk has.
    ///
    /// To another file system it is copied under a hidden name first: ``MusicFolder/removeEditLeftovers(olderThanSeconds:)``
    /// finds what a kill leaves of that.
    /// - Returns: false where the new name is taken; the file is where it was then.
    /// - Throws: `noSpace`, `readOnly`, `writeFailed`; the file is where it was then.
    static func move(
        _ name: [UInt8], in folder: OpenFolder, to newName: [UInt8], in newFolder: OpenFolder
    ) throws(IntakeError) -> Bool {
        if rename(name, folder, newName, newFolder) {
            // If this fails the file may have its old name after a loss of power: a whole file either way.
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
        // Not worth copying, as far as one can tell.
        guard newFolder.status(of: newName) == nil else { return false }
        let subject = String(decoding: newName, as: UTF8.self)
        let source = MusicFolder.withPath(name) {
            openat(folder.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        guard source >= 0 else { throw .system(errno, subject) }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0 else { throw .system(errno, subject) }
        let copyName = EditCopyName.random()
        let copy = MusicFolder.withPath(copyName) {
            openat(
                newFolder.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        }
        guard copy >= 0 else { throw .system(errno, subject) }
        defer { close(copy) }
        // Locked while this program lives, so that whoever finds it without lock knows it for a leftover.
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
