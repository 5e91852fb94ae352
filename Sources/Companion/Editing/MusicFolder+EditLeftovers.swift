import Foundation

extension MusicFolder {
    /// Deletes files left behind by edits that were killed: those with a name that only ``TagEditor`` uses
    /// and that no process has locked.
    /// - Parameter seconds: files younger than this are kept, since an edit locks its file only a moment
    ///   after creating it.
    /// - Returns: the number of deleted files.
    @discardableResult
    public func removeEditLeftovers(olderThanSeconds seconds: Double = 60) -> Int {
        scan().folders.reduce(0) { $0 + removeEditLeftovers(in: $1, olderThanSeconds: seconds) }
    }

    private func removeEditLeftovers(in folder: RelativePath?, olderThanSeconds seconds: Double) -> Int {
        guard let directory = Self.withPath(folder.map(absolutePath(of:)) ?? pathBytes, opendir) else {
            return 0
        }
        defer { closedir(directory) }
        var names: [[UInt8]] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if ReplacementName.matches(name) { names.append(name) }
        }
        let limit = Date().timeIntervalSince1970 - seconds
        return names.count { name in
            Self.withPath(name) { removeLeftover($0, in: dirfd(directory), changedBefore: limit) }
        }
    }

    private func removeLeftover(
        _ name: UnsafePointer<CChar>, in folder: Int32, changedBefore limit: Double
    ) -> Bool {
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Double(status.st_mtim.tv_sec) < limit, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return false }
        // The edit is over. If the file has replaced the old one in the meantime, this name is gone and
        // nothing is deleted.
        return unlinkat(folder, name, 0) == 0
    }
}
