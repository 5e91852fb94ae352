import Foundation

/// Tells what changes in a music folder, by inotify: an owner of one inotify descriptor.
///
/// It tells of names only. Whoever hears of them looks at what is there, so that an event that is doubled does no harm.
public final class FolderWatcher {
    /// Something that has happened at a place.
    enum Event: Equatable {
        /// A file was closed after writing, or has come with its content.
        case completed(RelativePath)
        /// A file was made or its attributes have changed; whether it is complete is not known.
        case touched(RelativePath)
        /// A file is gone.
        case removed(RelativePath)
        /// A folder is new. It is watched already, with all folders in it.
        case folderAppeared(RelativePath)
        /// A folder is gone.
        case folderRemoved(RelativePath)
        /// Events were lost, or the folder itself is gone: all is to be looked at.
        case everything
    }

    private let music: MusicFolder
    private let descriptor: Int32
    /// The folder that a watch is on; the music folder itself as nil.
    private var folders: [Int32: RelativePath?] = [:]
    private var watches: [RelativePath?: Int32] = [:]
    /// Whether all folders could be watched. The system's limit (`fs.inotify.max_user_watches`) may be too low.
    public private(set) var isComplete = true

    /// Makes a watcher that watches nothing yet.
    /// - Throws: `musicFolder` when the system gives none.
    public init(_ music: MusicFolder) throws(StoreError) {
        self.music = music
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw StoreError(
                .musicFolder, "cannot be watched: \(String(cString: strerror(errno)))",
                path: music.displayPath)
        }
    }

    deinit { close(descriptor) }

    /// Watches the folders given from now on as well; those watched already stay so.
    func watch(_ folders: [RelativePath?]) {
        for folder in folders { watch(folder) }
    }

    private func watch(_ folder: RelativePath?) {
        let events =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
            | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR) | UInt32(IN_DELETE_SELF)
            | UInt32(IN_MOVE_SELF)
        let path = folder.map(music.absolutePath(of:)) ?? music.pathBytes
        let added = MusicFolder.withPath(path) { inotify_add_watch(descriptor, $0, events) }
        guard added >= 0 else {
            if errno != ENOENT, errno != ENOTDIR { isComplete = false }
            return
        }
        // The system gives a folder that it watches already the same number: one that has moved has a new place now.
        if let old = folders[added] { watches[old] = nil }
        folders[added] = .some(folder)
        watches[folder] = added
    }

    /// Ends the watching of a folder and those in it.
    private func forget(_ folder: RelativePath) {
        for (path, watch) in watches {
            guard let path, path == folder || path.isInside(folder) else { continue }
            inotify_rm_watch(descriptor, watch)
            folders[watch] = nil
            watches[path] = nil
        }
    }

    /// Waits for something to happen.
    /// - Parameter seconds: how long at most.
    /// - Returns: what has happened, in order.
    func events(waitingSeconds seconds: Double) -> [Event] {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Int32(min(3600, max(0, seconds)) * 1000)) > 0 else { return [] }
        var happened: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return happened }
            var rest = buffer[..<count]
            while let record = Record(&rest) { take(record, &happened) }
        }
    }

    /// One `struct inotify_event` (inotify(7)).
    private struct Record {
        let watch: Int32
        let mask: UInt32
        let name: [UInt8]

        /// Takes the first record of the bytes; nil if there is none.
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
            // The system has ended the watch: the folder is gone.
            if watches[folder] == record.watch { watches[folder] = nil }
            folders[record.watch] = nil
            return
        }
        if record.has(Self.selfGone) {
            // The folder above tells of all others.
            if folder == nil { happened.append(.everything) }
            return
        }
        guard !record.name.isEmpty,
            let path = RelativePath(
                bytes: folder.map { $0.bytes + [UInt8(ascii: "/")] + record.name } ?? record.name)
        else { return }
        if record.has(Self.isFolder) {
            takeFolder(record, path, &happened)
        } else if MusicFolder.isNamedMP3(record.name) {
            if record.has(Self.completed) {
                happened.append(.completed(path))
            } else if record.has(Self.removed) {
                happened.append(.removed(path))
            } else {
                happened.append(.touched(path))
            }
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
        }
    }

    /// Watches a folder and all in it. A folder that comes into it after the watching has begun is told of by an event.
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
