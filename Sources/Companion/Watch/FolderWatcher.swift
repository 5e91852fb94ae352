internal import FileSystem
import Foundation
package import LibraryStore
package import MusicFiles

/// Reports changes in a music folder with inotify; owns the inotify descriptor.
///
/// It reports only names. Callers check the actual files, so duplicate events do no harm.
package final class FolderWatcher {
    /// A change at a path.
    enum Event: Equatable {
        /// A file was closed after writing, or moved in with its content.
        case completed(RelativePath)
        /// A file was created or its attributes changed; it may be incomplete.
        case touched(RelativePath)
        /// A file was deleted or moved away.
        case removed(RelativePath)
        /// A cue sheet was created, changed or deleted.
        case cueSheetChanged(RelativePath)
        /// A folder is new. It is already being watched, with all its subfolders.
        case folderAppeared(RelativePath)
        /// A folder was deleted or moved away, or can no longer be read.
        case folderRemoved(RelativePath)
        /// Events were lost, or the music folder itself is gone: everything must be checked.
        case everything
    }

    /// Seconds between two checks whether the music folder is still the watched one.
    private static let rootInterval = 1.0
    /// Seconds between two checks of all folders, if the system does not report mounts.
    private static let identityInterval = 30.0

    private let music: MusicFolder
    private let descriptor: Int32
    /// The system's list of mounts, which can be polled for changes; nil if it cannot be opened.
    private let mounts: FileDescriptor?
    /// The descriptor of ``mounts`` for `poll`, which ignores negative ones.
    private let mountsNumber: Int32
    /// The folder of each watch; nil is the music folder itself.
    private var folders: [Int32: RelativePath?] = [:]
    private var watches: [RelativePath?: Int32] = [:]
    private var identities: [RelativePath?: FileStatus.Identity] = [:]
    /// The music folder when last checked; nil if it did not exist.
    private var root: FileStatus.Identity?
    private var rootCheckedAt = 0.0
    private var identitiesCheckedAt = ProcessInfo.processInfo.systemUptime
    /// Whether all folders could be watched. The system's limit (`fs.inotify.max_user_watches`) may be too low.
    package private(set) var isComplete = true

    /// Creates a watcher without any watches.
    /// - Throws: `musicFolder` if the system provides no inotify descriptor.
    package init(_ music: MusicFolder) throws(StoreError) {
        self.music = music
        if let opened = try? FileDescriptor.open("/proc/self/mountinfo") {
            mountsNumber = opened.number
            mounts = consume opened
        } else {
            mountsNumber = -1
            mounts = nil
        }
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw StoreError(
                .musicFolder, "cannot be watched: \(SystemError.last)",
                path: music.displayPath)
        }
        root = Self.identity(music.pathBytes)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Identifies the folder at a path: changes if a file system is mounted on it, or the folder is replaced.
    private static func identity(_ path: [UInt8]) -> FileStatus.Identity? {
        (try? Files.status(of: path))?.identity
    }

    /// Adds watches for the given folders; existing watches are kept.
    func watch(_ folders: [RelativePath?]) {
        for folder in folders { watch(folder) }
    }

    private func watch(_ folder: RelativePath?) {
        let events =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
            | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR) | UInt32(IN_DELETE_SELF)
            | UInt32(IN_MOVE_SELF)
        let path = folder.map(music.absolutePath(of:)) ?? music.pathBytes
        let added = path.withPath { inotify_add_watch(descriptor, $0, events) }
        guard added >= 0 else {
            if errno != ENOENT, errno != ENOTDIR { isComplete = false }
            return
        }
        // For an already watched folder, the system returns the same watch: a folder that was moved now has a
        // new path.
        if let old = folders[added], old != folder { release(old) }
        // The folder that was at this path before is no longer accessible.
        if let old = watches[folder], old != added {
            inotify_rm_watch(descriptor, old)
            folders[old] = nil
        }
        folders[added] = .some(folder)
        watches[folder] = added
        identities[folder] = Self.identity(path)
        if folder == nil { root = identities[folder] }
    }

    /// Removes the record of a folder's watch, which the system has ended or which now has another path.
    private func release(_ folder: RelativePath?) {
        watches[folder] = nil
        identities[folder] = nil
    }

    /// Stops watching a folder and its subfolders.
    private func forget(_ folder: RelativePath) {
        for (path, watch) in watches {
            guard let path, path == folder || path.isInside(folder) else { continue }
            inotify_rm_watch(descriptor, watch)
            folders[watch] = nil
            release(path)
        }
    }

    /// Whether a watched path now leads to another folder. Such paths are no longer watched: a scan
    /// finds the new folders.
    private func hasOtherFolders() -> Bool {
        identitiesCheckedAt = ProcessInfo.processInfo.systemUptime
        let others = watches.keys.filter {
            Self.identity($0.map(music.absolutePath(of:)) ?? music.pathBytes) != identities[$0]
        }
        for folder in others {
            if let watch = watches[folder] {
                inotify_rm_watch(descriptor, watch)
                folders[watch] = nil
            }
            release(folder)
        }
        return !others.isEmpty
    }

    /// Whether the music folder has appeared, disappeared or been replaced since the last check.
    private func hasOtherRoot() -> Bool {
        rootCheckedAt = ProcessInfo.processInfo.systemUptime
        let now = Self.identity(music.pathBytes)
        guard now != root else { return false }
        root = now
        return true
    }

    /// Checks for changes that inotify does not report: mounts, and a replaced music folder.
    private func hasReplacedFolders(mountsHaveChanged: Bool) -> Bool {
        let now = ProcessInfo.processInfo.systemUptime
        var isReplaced = false
        if now - rootCheckedAt >= Self.rootInterval || mountsHaveChanged { isReplaced = hasOtherRoot() }
        if isReplaced || mountsHaveChanged
            || (mountsNumber < 0 && now - identitiesCheckedAt >= Self.identityInterval)
        {
            isReplaced = hasOtherFolders() || isReplaced
        }
        return isReplaced
    }

    /// Waits for events.
    /// - Parameter seconds: the timeout.
    /// - Returns: the events, in order.
    func events(waitingSeconds seconds: Double) -> [Event] {
        var requests = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mountsNumber, events: Int16(POLLPRI), revents: 0),
        ]
        let count = poll(&requests, 2, Int32(min(3600, max(0, seconds)) * 1000))
        // A change of the mount list is reported as an error condition (proc(5)).
        let mountsHaveChanged = count > 0 && requests[1].revents & Int16(POLLPRI | POLLERR) != 0
        var happened: [Event] = []
        if hasReplacedFolders(mountsHaveChanged: mountsHaveChanged) { happened.append(.everything) }
        guard count > 0, requests[0].revents != 0 else { return happened }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return happened }
            var rest = buffer[..<count]
            while let record = Record(&rest) { take(record, &happened) }
        }
    }

    /// A `struct inotify_event` (inotify(7)).
    private struct Record {
        let watch: Int32
        let mask: UInt32
        let name: [UInt8]

        /// Removes and parses the first record; nil if the bytes contain no complete record.
        init?(_ bytes: inout ArraySlice<UInt8>) {
            func number(_ offset: Int) -> UInt32 {
                let start = bytes.startIndex + offset
                return bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
            guard bytes.count >= 16 else { return nil }
            watch = Int32(bitPattern: number(0))
            mask = number(4)
            let length = Int(number(12))
            guard bytes.count >= 16 + length else { return nil }
            name = Array(bytes.dropFirst(16).prefix(length).prefix { $0 != 0 })
            bytes = bytes.dropFirst(16 + length)
        }

        func has(_ flags: Int32...) -> Bool { flags.contains { mask & UInt32(bitPattern: $0) != 0 } }
    }

    private func take(_ record: Record, _ happened: inout [Event]) {
        if record.has(Self.overflow, Self.unmounted) {
            happened.append(.everything)
            return
        }
        guard let folder = folders[record.watch] else { return }
        if record.has(Self.ignored) {
            // The system has ended the watch: the folder was deleted.
            if watches[folder] == record.watch { release(folder) }
            folders[record.watch] = nil
            return
        }
        if record.has(Self.selfGone) {
            if let folder {
                // The parent folder reports most of these too, but not for targets of links.
                forget(folder)
                happened.append(.folderRemoved(folder))
            } else {
                happened.append(.everything)
            }
            return
        }
        guard !record.name.isEmpty,
            let path = RelativePath(
                bytes: folder.map { $0.bytes + [UInt8(ascii: "/")] + record.name } ?? record.name)
        else { return }
        if record.has(Self.isFolder) {
            takeFolder(record, path, &happened)
        } else if MusicFolder.isMusicFile(named: record.name) {
            if record.has(Self.completed) {
                happened.append(.completed(path))
            } else if record.has(Self.removed) {
                happened.append(.removed(path))
            } else {
                happened.append(.touched(path))
            }
        } else if FolderCueSheets.isSheet(named: record.name) {
            happened.append(.cueSheetChanged(path))
        } else if record.has(Self.appeared),
            music.hasFolder(at: path)
        {
            // A link to a folder.
            watchTree(path)
            happened.append(.folderAppeared(path))
        } else if record.has(Self.removed), watches[path] != nil {
            forget(path)
            happened.append(.folderRemoved(path))
        }
    }

    private func takeFolder(_ record: Record, _ path: RelativePath, _ happened: inout [Event]) {
        if record.has(Self.removed) {
            forget(path)
            happened.append(.folderRemoved(path))
        } else if !record.has(Self.attributes) || watches[path] == nil {
            watchTree(path)
            happened.append(.folderAppeared(path))
        } else if !music.canRead(path) {
            happened.append(.folderRemoved(path))
        }
    }

    /// Watches a folder and all its subfolders. Folders created after the watch has started are reported by
    /// events.
    private func watchTree(_ folder: RelativePath) {
        watch(folder)
        for inner in music.scan(below: folder).folders where inner != folder { watch(inner) }
    }

    private static let overflow = Int32(bitPattern: UInt32(IN_Q_OVERFLOW))
    private static let unmounted = Int32(bitPattern: UInt32(IN_UNMOUNT))
    private static let ignored = Int32(bitPattern: UInt32(IN_IGNORED))
    private static let isFolder = Int32(bitPattern: UInt32(IN_ISDIR))
    private static let selfGone = Int32(bitPattern: UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF))
    private static let completed = Int32(bitPattern: UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO))
    private static let appeared = Int32(bitPattern: UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
    private static let attributes = Int32(bitPattern: UInt32(IN_ATTRIB))
    private static let removed = Int32(bitPattern: UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM))
}
