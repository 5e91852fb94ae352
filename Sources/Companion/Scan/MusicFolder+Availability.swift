internal import CFileCopy
import Foundation
internal import MusicShared

extension MusicFolder {
    /// The state of a folder.
    enum Availability: Sendable, Equatable {
        /// The folder can be read.
        case readable
        /// The parent folder no longer has an entry with this name: it was deleted or renamed.
        case deleted
        /// The folder is not accessible at the moment, which says nothing about its files.
        case unavailable(UnavailableFolder.Reason, message: String)
    }

    /// Checks the state of a folder.
    /// - Parameters:
    ///   - folder: nil for the music folder itself.
    ///   - wasMounted: whether a file system was mounted here when last seen.
    func availability(of folder: RelativePath?, wasMounted: Bool) -> Availability {
        let path = folder.map(absolutePath(of:)) ?? pathBytes
        let descriptor = Self.withPath(path) {
            open($0, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0 else {
            let code = errno
            if Self.isDanglingLink(path) {
                return .unavailable(.danglingLink, message: "is a broken link")
            }
            guard code == ENOENT || code == ENOTDIR else {
                return .unavailable(.unreadable, message: "cannot be read: \(Self.reason(code))")
            }
            if wasMounted { return .unavailable(.notMounted, message: "is not mounted") }
            return folder == nil ? .unavailable(.unreadable, message: "does not exist") : .deleted
        }
        let isMounted = file_is_mount_root(descriptor) == 1 || isOnOtherDevice(folder, descriptor)
        guard let directory = fdopendir(descriptor) else {
            close(descriptor)
            return .unavailable(.unreadable, message: "cannot be read: \(Self.reason(errno))")
        }
        defer { closedir(directory) }
        guard wasMounted else { return .readable }
        guard isMounted else { return .unavailable(.notMounted, message: "is not mounted") }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { return .readable }
        }
        // An automounter leaves an empty file system if the disk does not respond.
        return .unavailable(.notMounted, message: "is empty; its file system may not be mounted")
    }

    /// Whether a folder is on another device than its parent folder, as the target of a link may be.
    private func isOnOtherDevice(_ folder: RelativePath?, _ descriptor: Int32) -> Bool {
        guard let folder else { return false }
        var own = stat()
        var above = stat()
        let path = folder.folder.map(absolutePath(of:)) ?? pathBytes
        guard fstat(descriptor, &own) == 0, Self.withPath(path, { stat($0, &above) }) == 0 else {
            return false
        }
        return own.st_dev != above.st_dev
    }

    /// Whether a path is a link with a missing target, or part of a loop of links.
    static func isDanglingLink(_ path: [UInt8]) -> Bool {
        var status = stat()
        guard withPath(path, { lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            return false
        }
        return withPath(path) { stat($0, &status) } != 0 && [ENOENT, ENOTDIR, ELOOP].contains(errno)
    }
}
