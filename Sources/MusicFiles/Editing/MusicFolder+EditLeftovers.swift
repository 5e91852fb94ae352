internal import FileSystem
internal import Foundation
internal import LibraryStore

extension MusicFolder {
    /// Deletes files left behind by edits that were killed: those with a name that only new files have
    /// and that no process has locked.
    /// - Parameter seconds: files younger than this are kept, since an edit locks its file only a moment
    ///   after creating it.
    /// - Returns: the number of deleted files.
    @discardableResult
    package func removeEditLeftovers(olderThanSeconds seconds: Double = 60) -> Int {
        scan().folders.reduce(0) { $0 + removeEditLeftovers(in: $1, olderThanSeconds: seconds) }
    }

    private func removeEditLeftovers(in path: RelativePath?, olderThanSeconds seconds: Double) -> Int {
        guard let folder = try? Folder(path.map(absolutePath(of:)) ?? pathBytes) else { return 0 }
        let limit = Int((Date().timeIntervalSince1970 - seconds) * 1e9)
        return folder.names().count { name in
            guard PendingFile.isName(name), let file = try? folder.open(name),
                let status = try? file.status(), status.kind == .file,
                status.modificationNanoseconds < limit, (try? file.lock(.exclusive)) == true
            else { return false }
            // The edit is over. If the file has replaced the old one in the meantime, this name is gone and
            // nothing is deleted.
            return (try? folder.removeFile(name)) != nil
        }
    }
}
