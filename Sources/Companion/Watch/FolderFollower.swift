internal import Analyzer
internal import Foundation
package import LibraryStore
package import MusicFiles

/// Follows the changes in a music folder and reports each one once it is complete.
///
/// A file is complete when it has been closed after writing, or moved in, and is not opened for writing
/// again; if only its creation was seen, when it has not changed for a moment and no process has it open for
/// writing. Not thread-safe.
package final class FolderFollower {
    /// Seconds to wait after a file was closed: programs that write tags open and close it several times.
    private static let closedSeconds = 0.7
    /// Seconds to wait after a file has disappeared: if it was moved, it first appears elsewhere.
    private static let goneSeconds = 1.5
    /// Seconds without a change after which a file counts as complete if its closing was not reported.
    package static let settlingSeconds = 2.0
    /// Maximum number of pending places; with more, the whole folder is scanned.
    static let capacity = 50_000

    private struct Pending {
        /// Time on a monotonic clock.
        var due: Double
        var isClosed: Bool
    }

    private let music: MusicFolder
    private let watcher: FolderWatcher
    private var files: [RelativePath: Pending] = [:]
    private var folders: [RelativePath: Double] = [:]
    private var isEverythingDue = false

    /// Watches the folder and all its subfolders. Changes from now on are reported.
    /// - Throws: `musicFolder` if the system provides no watch.
    package init(_ music: MusicFolder) throws(StoreError) {
        self.music = music
        watcher = try FolderWatcher(music)
        watcher.watch(music.scan().folders)
    }

    /// Whether all folders are watched. The system's limit (`fs.inotify.max_user_watches`) may be too low.
    package var isComplete: Bool { watcher.isComplete }

    /// The changes to check.
    package enum Changes: Sendable, Equatable {
        case nothing
        case some(FolderChanges)
        /// Events were lost: check the whole folder.
        case everything
    }

    /// Adds files that were found while they may have been incomplete: they are reported once they are
    /// complete.
    package func follow(_ unsettled: [RelativePath]) {
        let due = Self.now + Self.settlingSeconds
        for path in unsettled where files[path] == nil { files[path] = Pending(due: due, isClosed: false) }
    }

    /// Watches the folders of a scan, in case some are new.
    package func watch(_ folders: [RelativePath?]) { watcher.watch(folders) }

    /// Waits for complete changes.
    /// - Parameter seconds: the timeout.
    package func changes(waitingSeconds seconds: Double) -> Changes {
        let end = Self.now + seconds
        while true {
            let now = Self.now
            if let changes = takeDue(now) { return changes }
            guard now < end else { return .nothing }
            // In short steps, so that the caller can be interrupted.
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
        case .cueSheetChanged(let path):
            // The files that it may describe are checked.
            for entry in music.entries(beside: path) where files[entry.path] == nil {
                files[entry.path] = Pending(due: now + Self.closedSeconds, isClosed: true)
            }
        case .folderAppeared(let path): folders[path] = now + Self.closedSeconds
        case .folderRemoved(let path): folders[path] = now + Self.goneSeconds
        case .everything: isEverythingDue = true
        }
    }

    private func takeDue(_ now: Double) -> Changes? {
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
            // For files that were there before the folder was watched, no event reports whether they are
            // complete.
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

    /// Seconds until the next check of an incomplete file; nil if the file is complete or gone.
    private func delay(of path: RelativePath, _ pending: Pending) -> Double? {
        guard let entry = music.scannedEntry(at: path) else { return nil }
        if music.isBeingWritten(entry) { return 0.5 }
        guard !pending.isClosed else { return nil }
        let age = Date().timeIntervalSince1970 - Double(entry.file.modificationTimeNanoseconds) / 1e9
        // Ignore times in the future.
        return age >= 0 && age < Self.settlingSeconds ? Self.settlingSeconds - age : nil
    }
}
