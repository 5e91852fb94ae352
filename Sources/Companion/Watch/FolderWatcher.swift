import Foundation

/// Tells that something changed in a music folder, by inotify: an owner of one inotify descriptor.
///
/// It says only that it is worth scanning again. The scan compares sizes and times, so an event that is missed or
/// doubled does no harm.
public final class FolderWatcher {
    private let music: MusicFolder
    private let descriptor: Int32

    /// Watches the folder and all folders in it.
    /// - Throws: `musicFolder` when the system gives no watch.
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
    /// - Returns: whether all could be watched. The system's limit (`fs.inotify.max_user_watches`) may be too low.
    public func watch(_ folders: [RelativePath?]) -> Bool {
        let events =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
            | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_ONLYDIR)
        var isComplete = true
        for folder in folders {
            let path = (folder.map(music.absolutePath(of:)) ?? music.pathBytes) + [0]
            let added = path.withUnsafeBytes { bytes in
                bytes.bindMemory(to: CChar.self).baseAddress.map { inotify_add_watch(descriptor, $0, events) }
                    ?? -1
            }
            if added < 0, errno != ENOENT, errno != ENOTDIR { isComplete = false }
        }
        return isComplete
    }

    /// Waits for a change.
    /// - Parameter seconds: how long at most.
    /// - Returns: whether anything changed.
    public func wait(seconds: Double) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, Int32(min(3600, max(0, seconds)) * 1000)) > 0 else { return false }
        // The events' content does not matter: empty the queue.
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        return true
    }
}
