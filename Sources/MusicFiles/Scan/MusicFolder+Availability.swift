internal import FileSystem
internal import LibraryStore
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
        let opened: Folder
        do throws(SystemError) {
            opened = try Folder(path)
        } catch {
            if Self.isDanglingLink(path) {
                return .unavailable(.danglingLink, message: "is a broken link")
            }
            // A name that now belongs to a file is a folder that was deleted.
            guard error == .notFound || error == .notAFolder else {
                return .unavailable(.unreadable, message: "cannot be read: \(error)")
            }
            if wasMounted { return .unavailable(.notMounted, message: "is not mounted") }
            return folder == nil ? .unavailable(.unreadable, message: "does not exist") : .deleted
        }
        let isMounted = opened.descriptor.isMountRoot || isOnOtherDevice(folder, opened)
        let (names, failure) = opened.entries()
        if names.isEmpty, let failure {
            return .unavailable(.unreadable, message: "cannot be read: \(failure)")
        }
        guard wasMounted else { return .readable }
        guard isMounted else { return .unavailable(.notMounted, message: "is not mounted") }
        guard names.isEmpty else { return .readable }
        // An automounter leaves an empty file system if the disk does not respond.
        return .unavailable(.notMounted, message: "is empty; its file system may not be mounted")
    }

    /// Whether a folder is on another device than its parent folder, as the target of a link may be.
    private func isOnOtherDevice(_ folder: RelativePath?, _ opened: Folder) -> Bool {
        guard let folder, let own = try? opened.descriptor.status(),
            let above = try? Files.status(of: folder.folder.map(absolutePath(of:)) ?? pathBytes)
        else { return false }
        return own.identity.device != above.identity.device
    }

    /// Whether a path is a link with a missing target, or part of a loop of links.
    static func isDanglingLink(_ path: [UInt8]) -> Bool {
        guard (try? Files.status(of: path, followsLinks: false))?.kind == .link else { return false }
        do throws(SystemError) {
            _ = try Files.status(of: path)
            return false
        } catch {
            return error.kind == .notFound || error.kind == .notAFolder
        }
    }
}
