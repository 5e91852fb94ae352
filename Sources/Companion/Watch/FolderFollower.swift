internal import Analyzer
internal import Foundation

/// Follows what happens in a music folder, and tells of each change once it is complete.
///
/// A file is complete when it was closed after writing, or moved in, and is not opened for writing again; one of which only the
/// making was seen, when it has not changed for a moment and nobody has it open. For one thread at a time.
public final class FolderFollower {
    /// Seconds that a closed file is left alone: programs that write tags open and close it several times.
    private static let closedSeconds = 0.7
    /// Seconds that a place is left alone which a file has left: moved, it turns up elsewhere first.
    private static let goneSeconds = 1.5
    /// Seconds without change after which a file counts as complete whose end nobody told of.
    public static let settlingSeconds = 2.0
    /// Places that are kept in mind; with more, all is looked at.
    private static let capacity = 50_000

    private struct Pending {
        /// On a steady clock.
        var due: Double
        var isClosed: Bool
    }

    private let music: MusicFolder
    private let watcher: FolderWatcher
    private var files: [RelativePath: Pending] = [:]
    private var folders: [RelativePath: Double] = [:]
    private var isEverythingDue = false

    /// Watches the folder and all folders in it. What changes from now on is told of.
    /// - Throws: `musicFolder` when the system gives no watch.
    public init(_ music: MusicFolder) throws(StoreError) {
        self.music = music
        watcher = try FolderWatcher(music)
        watcher.watch(music.scan().folders)
    }

    /// Whether all folders are watched. The system's limit (`fs.inotify.max_user_watches`) may be too low.
    public var isComplete: Bool { watcher.isComplete }

    /// What there is to look at.
    public enum News: Sendable, Equatable {
        case nothing
        case some(FolderChanges)
        /// Events were lost: the whole folder.
        case everything
    }

    /// Files that were found while they may still have been being written: they are told of once they are complete.
    public func follow(_ unsettled: [RelativePath]) {
        let due = Self.now + Self.settlingSeconds
        for path in unsettled where files[path] == nil { files[path] = Pending(due: due, isClosed: false) }
    }

    /// Folders that a scan has met are watched, should some be new.
    public func watch(_ folders: [RelativePath?]) { watcher.watch(folders) }

    /// Waits for something that is complete.
    /// - Parameter seconds: how long at most.
    public func news(waitingSeconds seconds: Double) -> News {
        let end = Self.now + seconds
        while true {
            let now = Self.now
            if let news = takeDue(now) { return news }
            guard now < end else { return .nothing }
            // Never longer than a moment, so that whoever asks can be interrupted.
            for event in watcher.events(waitingSeconds: min(end - now, 0.1)) { take(event, now) }
            if files.count + folders.count > Self.capacity { isEverythingDue = true }
        }
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    private func take(_ event: FolderWatcher.Event, _ now: Double) {
        switch event {
        case .completed(let path):
            files[path] = Pending(due: now + Self.closedSeconds, isClosed: true)
        case .touched(let path):
            files[path] = Pending(
                due: now + Self.closedSeconds, isClosed: files[path]?.isClosed ?? false)
        case .removed(let path): files[path] = Pending(due: now + Self.goneSeconds, isClosed: true)
        case .folderAppeared(let path): folders[path] = now + Self.closedSeconds
        case .folderRemoved(let path): folders[path] = now + Self.goneSeconds
        case .everything: isEverythingDue = true
        }
    }

    private func takeDue(_ now: Double) -> News? {
        if isEverythingDue {
            isEverythingDue = false
            files = [:]
            folders = [:]
            return .everything
        }
        var changes = FolderChanges()
        for (folder, due) in folders where due <= now {
            folders[folder] = nil
            changes.folders.insert(folder)
            // Of what was in it before it was watched, nobody tells whether it is complete.
            for entry in music.scan(below: folder).entries where files[entry.path] == nil {
                files[entry.path] = Pending(due: now, isClosed: false)
            }
        }
        for (path, pending) in files where pending.due <= now {
            if let later = delay(of: path, pending) {
                files[path]?.due = now + later
            } else {
                files[path] = nil
                changes.files.insert(path)
            }
        }
        return changes.isEmpty ? nil : .some(changes)
    }

    /// Seconds after which to look again at a file that is not complete; nil for one that is, or is gone.
    private func delay(of path: RelativePath, _ pending: Pending) -> Double? {
        guard let entry = music.scannedEntry(at: path) else { return nil }
        if music.isBeingWritten(entry) { return 0.5 }
        guard !pending.isClosed else { return nil }
        let age = Date().timeIntervalSince1970 - Double(entry.file.modificationTimeNanoseconds) / 1e9
        // A time in the future says nothing.
        return age >= 0 && age < Self.settlingSeconds ? Self.settlingSeconds - age : nil
    }
}
