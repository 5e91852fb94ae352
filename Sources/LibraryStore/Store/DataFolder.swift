internal import FileSystem
internal import Foundation

/// The data folder: the databases, and the locks of running programs.
///
/// It is private: the folder has mode 0700 and all files in it 0600, whatever the umask.
package struct DataFolder: Sendable, Hashable {
    /// The folder's path.
    package let path: String
    /// The folder for the spectra, which are large and can be recomputed: the same folder, or a separate one.
    package let spectraPath: String

    /// Opens a folder and creates it if it does not exist. Permissions for other users left by earlier
    /// versions are removed.
    /// - Parameter frames: a separate folder for spectra.
    /// - Throws: `dataFolder` if the path is not a folder, or the system fails to create it.
    package init(path: String, frames: String? = nil) throws(StoreError) {
        self.path = path
        spectraPath = frames ?? path
        for folder in Set([path, spectraPath]) {
            try Self.make(folder)
            Self.restrict(folder)
        }
    }

    /// Catalogue and analyses.
    package var libraryDatabase: String { "\(path)/library.sqlite" }
    /// Spectra.
    package var visualizerDatabase: String { "\(spectraPath)/visualizer.sqlite" }
    /// Stars, ratings, play counts and history.
    package var listeningDatabase: String { "\(path)/listening.sqlite" }
    /// Marks listening data that is a copy of a database which several hosts share.
    package var sharedListeningMark: String { "\(path)/shared-listening.json" }
    /// Plays that wait to be forwarded to ListenBrainz and Last.fm.
    package var scrobbleDatabase: String { "\(path)/scrobbles.sqlite" }
    /// Edits of tags that can be undone.
    package var editDatabase: String { "\(path)/edits.sqlite" }
    /// Shares: addresses that open some music without a key.
    package var shareDatabase: String { "\(path)/shares.sqlite" }
    /// The analysis queue and the event log.
    package var workDatabase: String { "\(path)/work.sqlite" }
    /// Lock file that shows which workers are alive.
    package var workLock: String { "\(path)/work.lock" }
    /// The lock of a running pass.
    package var passLock: String { "\(path)/pass.lock" }
    /// The music folder that the data belongs to.
    package var musicBinding: String { "\(path)/music-folder.json" }

    // MARK: Permissions

    /// Files of this program, by the prefix of their names.
    package static let files = [
        "library.s", "visualizer.sqlite", "listening.sqlite", "work.sqlite", "work.lock", "pass.lock",
        "host.json", "accounts.json", "running.json", "music-folder.json", "scrobbles.sqlite",
        "scrobbling.json", "shares.sqlite", "edits.sqlite", "jukebox.json", "following",
        "shared-listening.json",
    ]
    /// Folders of this program.
    package static let folders = ["covers", "fetched", "parts", "radio", "renditions", "stored", "uploads"]
    /// Names that users or file systems may add to a data folder.
    private static let guests = ["stream-host.conf", "lost+found"]

    private static func make(_ folder: String) throws(StoreError) {
        var made = Result { () throws(SystemError) in try Files.makeFolder(folder, permissions: 0o700) }
        if case .failure(.notFound) = made {
            try makeParents(of: folder)
            made = Result { () throws(SystemError) in try Files.makeFolder(folder, permissions: 0o700) }
        }
        guard case .failure(let error) = made, (try? Files.status(of: folder))?.kind != .folder else {
            return
        }
        throw StoreError(.dataFolder, "cannot create the data folder: \(error)", path: folder)
    }

    private static func makeParents(of folder: String) throws(StoreError) {
        do {
            try FileManager.default.createDirectory(
                at: URL(filePath: folder).deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StoreError(
                .dataFolder, "cannot create the data folder: \(error.localizedDescription)", path: folder)
        }
    }

    /// Removes the permissions of other users from this program's files. A folder that also contains other
    /// things keeps its permissions: `--data /tmp` must not lock out other users.
    private static func restrict(_ folder: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
        for name in names {
            if files.contains(where: name.hasPrefix) {
                restrict("\(folder)/\(name)", .file)
            } else if folders.contains(name), restrict("\(folder)/\(name)", .folder) {
                let inside = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
                for file in inside { restrict("\(folder)/\(name)/\(file)", .file) }
            }
        }
        let isItsOwn = names.allSatisfy { name in
            files.contains(where: name.hasPrefix) || folders.contains(name) || guests.contains(name)
        }
        if isItsOwn { restrict(folder, .folder) }
    }

    /// Removes the permissions of other users. SQLite's files are never opened for this: closing them would
    /// release its locks.
    /// - Returns: whether other users had permissions.
    @discardableResult
    private static func restrict(_ path: String, _ kind: FileStatus.Kind) -> Bool {
        let sticky: UInt32 = 0o1000
        guard let status = try? Files.status(of: path, followsLinks: false), status.kind == kind,
            status.permissions & 0o077 != 0, status.permissions & sticky == 0
        else { return false }
        return (try? Files.setPermissions(status.permissions & 0o700, of: path)) != nil
    }
}
