import Companion
import CommandLineProgram
import Foundation
import LibraryStore
import MusicFiles
import SQLiteDatabase

/// `--watch`: a pass, followed by another one whenever something in the folder has changed and settled.
struct FolderWatch {
    /// Maximum interval between full scans in seconds: network file systems do not report changes.
    private static let scanInterval = 600.0
    /// Interval at which Ctrl-C is checked, in seconds.
    private static let pollSeconds = 0.2
    /// Delay in seconds before retrying after the databases could not be written.
    private static let retryInterval = 5.0

    let music: MusicFolder
    let cancellation: PassCancellation
    let isQuiet: Bool

    /// Runs passes until cancelled.
    /// - Parameter pass: runs one pass over the whole folder, or over the changes; the flag is true for the first pass.
    func run(_ pass: (_ isFirst: Bool, FolderChanges?) throws -> PassSummary) throws -> ExitCode {
        // Start watching before the first scan, so that changes during the pass are not missed.
        let follower = try FolderFollower(music)
        if !follower.isComplete {
            Terminal.complain(
                "too many folders to watch all of them (fs.inotify.max_user_watches); "
                    + "the others are scanned every \(Int(Self.scanInterval / 60)) minutes")
        }
        var isFirst = true
        var isScanDue = true
        // Whether folders were unavailable: a change may mean that one of them is back.
        var isIncomplete = false
        var scannedAt = Date()
        while !cancellation.isCancelled {
            if isScanDue || Date().timeIntervalSince(scannedAt) > Self.scanInterval {
                isScanDue = false
                if !isFirst { follower.watch(music.scan().folders) }
                do {
                    let summary = try pass(isFirst, nil)
                    follower.follow(summary.unsettled)
                    isIncomplete = !summary.unavailable.isEmpty
                } catch let error as StoreError where error.code == .noMusic {
                    if isFirst {
                        if !isQuiet { Terminal.complain("no music files yet; waiting") }
                    } else if !isIncomplete {
                        Terminal.complain("analyze-cli: \(error)")
                    }
                    isIncomplete = true
                } catch let error as DatabaseError where !isFirst {
                    isScanDue = true
                    wait(after: error)
                }
                isFirst = false
                scannedAt = Date()
            }
            switch follower.changes(waitingSeconds: Self.pollSeconds) {
            case .nothing: break
            case .everything: isScanDue = true
            case .some(let changes):
                if isIncomplete { isScanDue = true }
                do { _ = try pass(false, changes) } catch let error as DatabaseError {
                    // A full scan finds what could not be stored.
                    isScanDue = true
                    wait(after: error)
                }
            }
        }
        return .success
    }

    /// Waits before retrying to write the databases: the disk may be full, or another program may have locked them.
    private func wait(after error: DatabaseError) {
        Terminal.complain(
            "analyze-cli: \(error.path.map { "\($0): " } ?? "")\(error.message); retrying")
        cancellation.wait(upTo: Self.retryInterval)
    }
}
