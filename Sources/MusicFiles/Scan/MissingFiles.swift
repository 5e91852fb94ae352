internal import FileSystem
package import LibraryStore
package import MusicShared

/// Distinguishes deleted files from files in folders that are only unavailable.
///
/// A missing file is in an unavailable folder if one of the folders on its path
/// - was a mount point, or on another file system than its parent folder, when last seen, and now is not,
///   is empty, or does not exist,
/// - is a broken link, or the file itself is one,
/// - cannot be read, or the file cannot be examined.
///
/// Otherwise it was deleted: its folder can be read and does not contain it, or a readable folder no longer
/// contains the next folder on its path. If that is more than half of the library and at least ``largeCount``
/// tracks, or all of it, the user must confirm the removal: a file system that lost its content is more
/// likely than such a clean-up.
package struct MissingFiles {
    /// Minimum number of deleted tracks for which losing more than half of the library counts as unavailable.
    package static let largeCount = 50

    package let music: MusicFolder
    /// Folders that were mount points when last seen; nil is the music folder itself.
    package let mounted: Set<RelativePath?>
    /// Folders that a scan could not read completely, with the reason.
    package var unreadable: [RelativePath?: String] = [:]
    private var seen: [RelativePath?: MusicFolder.Availability] = [:]

    package init(_ music: MusicFolder, mounted: Set<RelativePath?>) {
        self.music = music
        self.mounted = mounted
    }

    /// The fate of a missing file.
    package enum Place: Equatable {
        /// The file exists after all.
        case present
        /// Deleted, together with the given folder or from it.
        case deleted(RelativePath?)
        case unavailable(RelativePath?, UnavailableFolder.Reason, message: String)
    }

    /// The result for a set of missing files.
    package struct Judgement {
        /// Files that have been deleted.
        package var gone: [RelativePath] = []
        /// Files that are kept, by their unavailable folder.
        package var kept:
            [RelativePath?: (reason: UnavailableFolder.Reason, message: String, files: [RelativePath])] =
                [:]

        /// An empty result.
        package init() {}

        /// The unavailable folders, sorted by path.
        package var folders: [UnavailableFolder] {
            kept.map { folder, found in
                UnavailableFolder(
                    relativePath: folder?.text ?? UnavailableFolder.musicFolder,
                    trackCount: found.files.count,
                    reason: found.reason, message: found.message)
            }.sorted { $0.relativePath < $1.relativePath }
        }

        fileprivate mutating func keep(
            _ file: RelativePath, in folder: RelativePath?, _ reason: UnavailableFolder.Reason,
            _ message: String
        ) {
            kept[folder, default: (reason, message, [])].files.append(file)
        }
    }

    /// Classifies missing files.
    /// - Parameters:
    ///   - missing: files of available tracks that do not exist at their paths.
    ///   - availableCount: number of available tracks in the library, including the missing ones; only called
    ///     if needed.
    ///   - isFolderEmpty: whether the music folder no longer contains any music file.
    ///   - confirmed: folders whose missing files the user has confirmed as deleted.
    package mutating func judge(
        _ missing: [RelativePath], availableCount: () throws -> Int, isFolderEmpty: Bool = false,
        confirmed: Set<RelativePath?> = []
    ) rethrows -> Judgement {
        var judgement = Judgement()
        var deleted: [(file: RelativePath, from: RelativePath?)] = []
        for file in missing {
            if Self.isInside(confirmed, file) {
                judgement.gone.append(file)
                continue
            }
            switch place(of: file) {
            case .present: judgement.gone.append(file)
            case .unavailable(let folder, let reason, let message):
                judgement.keep(file, in: folder, reason, message)
            case .deleted(let folder):
                if isFolderEmpty {
                    judgement.keep(file, in: nil, .empty, "contains no music files")
                } else {
                    deleted.append((file, folder))
                }
            }
        }
        if deleted.count >= Self.largeCount {
            let count = try availableCount()
            if deleted.count * 2 > count {
                let folder = Self.commonFolder(of: deleted.map(\.from))
                let message = "lost \(deleted.count) of the library's \(count) tracks at once"
                for (file, _) in deleted { judgement.keep(file, in: folder, .mostlyMissing, message) }
                return judgement
            }
        }
        judgement.gone += deleted.map(\.file)
        return judgement
    }

    /// Determines what happened to a missing file.
    package mutating func place(of track: RelativePath) -> Place {
        let file = track.audioFile
        // From the music folder down to the file's folder.
        var folders: [RelativePath?] = []
        var next = file.folder
        while let folder = next {
            folders.append(folder)
            next = folder.folder
        }
        folders.append(nil)
        for folder in folders.reversed() {
            switch availability(of: folder) {
            case .readable: continue
            case .deleted: return .deleted(folder)
            case .unavailable(let reason, let message):
                return .unavailable(folder, reason, message: message)
            }
        }
        let path = music.absolutePath(of: file)
        do throws(SystemError) {
            return try Files.status(of: path).kind == .folder ? .deleted(file.folder) : .present
        } catch {
            if MusicFolder.isDanglingLink(path) {
                return .unavailable(file.folder, .danglingLink, message: "contains broken links")
            }
            guard error == .notFound || error == .notAFolder else {
                return .unavailable(
                    file.folder, .unreadable, message: "contains files that cannot be examined: \(error)")
            }
            return .deleted(file.folder)
        }
    }

    private mutating func availability(of folder: RelativePath?) -> MusicFolder.Availability {
        if let known = seen[folder] { return known }
        let found: MusicFolder.Availability
        if let reason = unreadable[folder] {
            found = .unavailable(.unreadable, message: "cannot be read: \(reason)")
        } else {
            found = music.availability(of: folder, wasMounted: mounted.contains(folder))
        }
        seen[folder] = found
        return found
    }

    /// Whether a file is in one of the folders.
    private static func isInside(_ folders: Set<RelativePath?>, _ file: RelativePath) -> Bool {
        guard !folders.isEmpty else { return false }
        if folders.contains(nil) { return true }
        var next: RelativePath? = file
        while let folder = next {
            if folders.contains(folder) { return true }
            next = folder.folder
        }
        return false
    }

    /// The deepest common ancestor of the folders.
    private static func commonFolder(of folders: [RelativePath?]) -> RelativePath? {
        guard var common = folders.first else { return nil }
        for folder in folders.dropFirst() {
            while let current = common, current != folder, folder.map({ $0.isInside(current) }) != true {
                common = current.folder
            }
            if common == nil { break }
        }
        return common
    }
}
