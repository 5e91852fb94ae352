import Companion
import ConsoleProgram
import Foundation

/// `--watch`: a pass whenever the folder has changed and come to rest.
struct FolderWatch {
    /// Files changed less than this many seconds ago may still be being written.
    static let settlingSeconds = 2.0
    /// Seconds without a change after which the folder has come to rest.
    private static let quietSeconds = 0.5
    /// A full scan at least this often in seconds: network file systems tell of no changes.
    private static let longestWait = 600.0
    /// How often Ctrl-C is looked for, in seconds.
    private static let attention = 0.2

    let music: MusicFolder
    let cancellation: PassCancellation
    let isQuiet: Bool

    /// Runs passes until cancelled.
    /// - Parameter pass: makes one pass; told whether it is the first.
    func run(_ pass: (Bool) throws -> ExitCode) throws -> ExitCode {
        let watcher = try FolderWatcher(music)
        var isFirst = true
        var told = false
        while !cancellation.isCancelled {
            // Watch before looking: what changes during the pass is then not missed.
            let folders = music.scan().folders
            if !watcher.watch(folders), !told {
                told = true
                Terminal.complain(
                    "too many folders to watch them all (fs.inotify.max_user_watches); "
                        + "the others are looked at every \(Int(Self.longestWait / 60)) minutes")
            }
            do {
                _ = try pass(isFirst)
            } catch let error as StoreError where error.code == .noMusic {
                if isFirst, !isQuiet { Terminal.complain("no MP3 yet; waiting for some") }
            }
            isFirst = false
            wait(watcher)
        }
        return .success
    }

    private func wait(_ watcher: FolderWatcher) {
        let start = Date()
        var waiting = Self.longestWait
        if music.hasFilesChanged(withinSeconds: Self.settlingSeconds) { waiting = Self.settlingSeconds }
        var changed = false
        while !cancellation.isCancelled {
            if watcher.wait(seconds: changed ? Self.quietSeconds : Self.attention) {
                changed = true
            } else if changed || Date().timeIntervalSince(start) > waiting {
                return
            }
        }
    }
}
