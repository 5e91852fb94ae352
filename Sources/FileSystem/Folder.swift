internal import CFileCopy
internal import Glibc

/// An open folder. It finds its entries by name and does not follow links, so that another program cannot redirect an access by
/// creating a link at that moment.
package final class Folder: Sendable {
    /// The folder's descriptor.
    package let descriptor: FileDescriptor

    /// Takes ownership of a folder's descriptor.
    package init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Opens a folder by its path, following links.
    package convenience init(_ path: some FilePath) throws(SystemError) {
        self.init(try FileDescriptor.open(path, for: .read, .folder))
    }

    // MARK: Entries

    /// Opens a file of the folder, but no link.
    /// - Parameter permissions: those of a new file, before the process's umask.
    package func open(
        _ name: some FilePath, for access: FileDescriptor.Access = .read,
        _ options: FileDescriptor.Options = [],
        permissions: UInt32 = 0o600
    ) throws(SystemError) -> FileDescriptor {
        try descriptor.open(
            name, for: access, options.union([.noLink, .nonBlocking]), permissions: permissions)
    }

    /// Opens a subfolder.
    /// - Parameter creating: the permissions with which a missing folder is created, before the process's umask; nil: a missing
    ///   folder is an error.
    package func folder(_ name: some FilePath, creating: UInt32? = nil) throws(SystemError) -> Folder {
        do throws(SystemError) {
            return Folder(try descriptor.open(name, for: .read, [.folder, .noLink]))
        } catch  where error.kind == .notFound && creating != nil {
            do throws(SystemError) {
                try check(name.withPath { mkdirat(descriptor.number, $0, mode_t(creating ?? 0)) })
            } catch  where error.kind == .alreadyExists {
                // Another thread was faster.
            }
            try? descriptor.sync()
            return Folder(try descriptor.open(name, for: .read, [.folder, .noLink]))
        }
    }

    /// Opens a nested subfolder.
    package func folder(along names: some Sequence<some FilePath>, creating: UInt32? = nil)
        throws(SystemError) -> Folder
    {
        var folder = self
        for name in names { folder = try folder.folder(name, creating: creating) }
        return folder
    }

    /// The state of an entry.
    /// - Parameter followsLinks: whether to return the state of a link's target.
    package func status(of name: some FilePath, followsLinks: Bool = false) throws(SystemError) -> FileStatus
    {
        var status = stat()
        try check(
            name.withPath { fstatat(descriptor.number, $0, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) })
        return FileStatus(status)
    }

    /// Whether the user may write to an entry.
    package func isWritable(_ name: some FilePath) -> Bool {
        name.withPath { faccessat(descriptor.number, $0, W_OK, AT_EACCESS) } == 0
    }

    /// The names of all entries, in no particular order.
    /// - Returns: the names, and the error that ended the list early, if any.
    package func entries() -> (names: [[UInt8]], failure: SystemError?) {
        // A second descriptor: the stream closes it and moves its position.
        let own = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return ([], .last) }
        guard let stream = fdopendir(own) else {
            let failure = SystemError.last
            close(own)
            return ([], failure)
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
            errno = 0
        }
        return (names, errno == 0 ? nil : .last)
    }

    /// The names of all entries that can be listed, in no particular order.
    package func names() -> [[UInt8]] { entries().names }

    // MARK: Changes

    /// Deletes a file or a link.
    package func removeFile(_ name: some FilePath) throws(SystemError) {
        try check(name.withPath { unlinkat(descriptor.number, $0, 0) })
    }

    /// Deletes an empty subfolder.
    package func removeEmptyFolder(_ name: some FilePath) throws(SystemError) {
        try check(name.withPath { unlinkat(descriptor.number, $0, AT_REMOVEDIR) })
    }

    /// Deletes an entry with everything in it, as far as possible; links are deleted, not their targets.
    package func removeAll(_ name: some FilePath) {
        if (try? removeFile(name)) != nil { return }
        if let folder = try? folder(name) {
            for inner in folder.names() { folder.removeAll(inner) }
        }
        try? removeEmptyFolder(name)
    }

    /// Renames an entry, over an existing file.
    package func rename(_ name: some FilePath, to newName: some FilePath, in newFolder: Folder)
        throws(SystemError)
    {
        try check(
            name.withPath { from in
                newName.withPath { renameat(descriptor.number, from, newFolder.descriptor.number, $0) }
            })
    }

    /// Renames an entry unless the new name is taken. On file systems that cannot do this in one step, it has both names for a
    /// moment.
    package func renameToFreeName(
        _ name: some FilePath, to newName: some FilePath, in newFolder: Folder
    ) throws(SystemError) {
        try check(
            name.withPath { from in
                newName.withPath {
                    file_move_to_free_name(descriptor.number, from, newFolder.descriptor.number, $0)
                }
            })
    }

    /// Gives a file of this folder a second name in it. Not all file systems support that.
    package func link(_ name: some FilePath, to newName: some FilePath) throws(SystemError) {
        try check(
            name.withPath { from in
                newName.withPath { linkat(descriptor.number, from, descriptor.number, $0, 0) }
            })
    }
}
