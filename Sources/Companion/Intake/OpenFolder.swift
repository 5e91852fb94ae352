import Foundation

/// An open folder; owns its descriptor. Its contents are accessed relative to it, name by name, without
/// following links, so that no one can redirect an access by creating a link in the meantime.
final class OpenFolder {
    let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a folder by its path, following links.
    static func at(_ path: [UInt8]) throws(IntakeError) -> OpenFolder {
        let descriptor = MusicFolder.withPath(path) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .system(errno, String(decoding: path, as: UTF8.self)) }
        return OpenFolder(descriptor: descriptor)
    }

    /// Opens a subfolder.
    /// - Parameters:
    ///   - creates: whether to create a missing folder, and sync that to disk.
    ///   - mode: the permissions of a new folder, before the process's umask.
    /// - Throws: `folderBlocked` if the name belongs to a link or a file, `readOnly`, `noSpace`,
    ///   `writeFailed`.
    func folder(_ name: [UInt8], creates: Bool, mode: mode_t = 0o777) throws(IntakeError) -> OpenFolder {
        func opened() -> Int32 {
            MusicFolder.withPath(name) {
                openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            }
        }
        var found = opened()
        if found < 0, errno == ENOENT, creates {
            let made = MusicFolder.withPath(name) { mkdirat(descriptor, $0, mode) }
            guard made == 0 || errno == EEXIST else {
                throw .system(errno, String(decoding: name, as: UTF8.self))
            }
            _ = fsync(descriptor)
            found = opened()
        }
        guard found >= 0 else { throw .system(errno, String(decoding: name, as: UTF8.self)) }
        return OpenFolder(descriptor: found)
    }

    /// Opens a nested subfolder.
    func folder(along names: [[UInt8]], creates: Bool) throws(IntakeError) -> OpenFolder {
        var folder = self
        for name in names { folder = try folder.folder(name, creates: creates) }
        return folder
    }

    /// The status of an entry of the folder, without following links; nil if there is no such entry.
    func status(of name: [UInt8]) -> stat? {
        var status = stat()
        let found = MusicFolder.withPath(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        return found == 0 ? status : nil
    }

    /// The names of the folder's entries, in no particular order.
    func names() -> [[UInt8]] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return [] }
        guard let directory = fdopendir(own) else {
            close(own)
            return []
        }
        defer { closedir(directory) }
        var names: [[UInt8]] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
        return names
    }

    /// Deletes an entry of the folder recursively; links are deleted, not their targets.
    func remove(_ name: [UInt8]) {
        if MusicFolder.withPath(name, { unlinkat(descriptor, $0, 0) }) == 0 { return }
        if let folder = try? folder(name, creates: false) {
            for inner in folder.names() { folder.remove(inner) }
        }
        _ = MusicFolder.withPath(name) { unlinkat(descriptor, $0, AT_REMOVEDIR) }
    }

    /// Free bytes on the folder's disk for this user.
    var freeBytes: Int {
        var space = statvfs()
        guard fstatvfs(descriptor, &space) == 0 else { return .max }
        let free = UInt64(space.f_bavail).multipliedReportingOverflow(by: UInt64(space.f_frsize))
        return free.overflow ? .max : Int(clamping: free.partialValue)
    }
}
