internal import Glibc

/// Calls on the paths of files and folders.
package enum Files {
    /// The state of a file or folder.
    /// - Parameter followsLinks: whether to return the state of a link's target.
    package static func status(of path: some FilePath, followsLinks: Bool = true) throws(SystemError)
        -> FileStatus
    {
        var status = stat()
        try check(path.withPath { followsLinks ? stat($0, &status) : lstat($0, &status) })
        return FileStatus(status)
    }

    /// The absolute path without links, `.` and `..`.
    package static func resolvedPath(of path: some FilePath) throws(SystemError) -> [UInt8] {
        guard let resolved = path.withPath({ realpath($0, nil) }) else { throw .last }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }
    }

    /// Verifies that the entries of a folder can be listed and opened.
    package static func checkReadable(folder path: some FilePath) throws(SystemError) {
        try check(path.withPath { access($0, R_OK | X_OK) })
    }

    /// Identifies the file system of a path: stays the same when it is mounted elsewhere.
    package static func fileSystem(of path: some FilePath) throws(SystemError) -> UInt64 {
        var system = statvfs()
        try check(path.withPath { statvfs($0, &system) })
        return UInt64(system.f_fsid)
    }

    /// Creates a folder; its parent folder must exist.
    /// - Parameter permissions: before the process's umask.
    package static func makeFolder(_ path: some FilePath, permissions: UInt32) throws(SystemError) {
        try check(path.withPath { mkdir($0, mode_t(permissions)) })
    }

    /// Creates a FIFO, also called a named pipe.
    /// - Parameter permissions: before the process's umask.
    package static func makeFIFO(_ path: some FilePath, permissions: UInt32) throws(SystemError) {
        try check(path.withPath { mkfifo($0, mode_t(permissions)) })
    }

    /// Deletes a file or a link.
    package static func remove(_ path: some FilePath) throws(SystemError) {
        try check(path.withPath { unlink($0) })
    }

    /// Renames a file, over an existing one.
    package static func rename(_ path: some FilePath, to newPath: some FilePath) throws(SystemError) {
        try check(path.withPath { from in newPath.withPath { Glibc.rename(from, $0) } })
    }

    /// Changes the permission bits.
    package static func setPermissions(_ permissions: UInt32, of path: some FilePath) throws(SystemError) {
        try check(path.withPath { chmod($0, mode_t(permissions)) })
    }

    /// Sets both times of a file to the current time.
    package static func touch(_ path: some FilePath) throws(SystemError) {
        try check(path.withPath { utimensat(AT_FDCWD, $0, nil, 0) })
    }

    /// The permissions of new files that other users may see, by the process's umask.
    package static let newFilePermissions: UInt32 = {
        // The only other way to learn the mask is to change it for a moment, for all threads.
        let status = try? FileDescriptor.open("/proc/self/status").read(4_096)
        let line = (status ?? []).split(separator: UInt8(ascii: "\n")).first {
            $0.starts(with: "Umask:".utf8)
        }
        let digits = line?.split(separator: UInt8(ascii: "\t")).last.map {
            String(decoding: $0, as: UTF8.self)
        }
        return 0o666 & ~(digits.flatMap { UInt32($0, radix: 8) } ?? 0o022)
    }()

    /// Replaces the content of a file, or creates it: readers see either the old content or the whole new one, also after a power
    /// loss.
    /// - Parameter permissions: those of the new file, whatever the process's umask. It has them from the start.
    package static func replace(
        _ path: String, with content: some Collection<UInt8>, permissions: UInt32 = 0o600
    ) throws(SystemError) {
        let new = try pending(at: path)
        try new.descriptor.write(content)
        try new.descriptor.setPermissions(permissions)
        try new.replace(name(of: path))
    }

    /// Creates the new file of a path, next to it; its temporary name starts with the path's last component.
    package static func pending(at path: String) throws(SystemError) -> PendingFile {
        let name = name(of: path)
        let folder = path.utf8.dropLast(name.count)
        let suffix = ".new-" + String(UInt64.random(in: .min ... .max), radix: 16)
        return try PendingFile(
            in: try Folder(folder.isEmpty ? Array(".".utf8) : Array(folder)),
            temporaryName: name + Array(suffix.utf8))
    }

    /// The last component of a path.
    package static func name(of path: String) -> [UInt8] {
        Array(
            path.utf8.suffix(
                from: path.utf8.lastIndex(of: UInt8(ascii: "/")).map(path.utf8.index(after:))
                    ?? path.utf8.startIndex))
    }
}
