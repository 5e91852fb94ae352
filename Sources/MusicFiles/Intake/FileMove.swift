internal import FileSystem

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
        _ name: [UInt8], in folder: Folder, to newName: [UInt8], in newFolder: Folder
    ) throws(IntakeError) -> Bool {
        do throws(SystemError) {
            do throws(SystemError) {
                try folder.renameToFreeName(name, to: newName, in: newFolder)
                // If this fails, the file may have its old name after a power loss: a complete file either
                // way.
                try? newFolder.descriptor.sync()
                try? folder.descriptor.sync()
            } catch  where error.kind == .otherFileSystem {
                // Avoids a useless copy; only taking the name is reliable.
                if (try? newFolder.status(of: newName)) != nil { return false }
                try copy(name, folder, newName, newFolder)
                try? folder.removeFile(name)
            }
            return true
        } catch {
            guard error.kind != .alreadyExists else { return false }
            throw .system(error, String(decoding: newName, as: UTF8.self))
        }
    }

    private static func copy(
        _ name: [UInt8], _ folder: Folder, _ newName: [UInt8], _ newFolder: Folder
    ) throws(SystemError) {
        let source = try folder.open(name)
        let status = try source.status()
        let copy = try PendingFile(in: newFolder)
        try source.copy(0..<status.byteCount, to: copy.descriptor)
        try copy.descriptor.setPermissions(status.permissions)
        try copy.descriptor.setTimes(
            accessNanoseconds: status.accessNanoseconds,
            modificationNanoseconds: status.modificationNanoseconds)
        try copy.take(freeName: newName)
    }
}
