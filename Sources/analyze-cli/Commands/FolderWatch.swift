import Companion
import ConsoleProgram
import Foundation

/// `--watch`: a pass, then another whenever something in the folder has changed and is complete.
struct FolderWatch {
    /// A full scan at least this often in seconds: network file systems tell of no changes.
    private static let scanInterval = 600.0
    /// How often Ctrl-C is looked for, in seconds.
    private static let attention = 0.2

    let music: MusicFolder
    let cancellation: PassCancellation
    let isQuiet: Bool

    /// Runs passes until cancelled.
    /// - Parameter pass: makes one pass over the whole folder, or over what has changed; told whether it is the first. Gives the
    ///   files that may still be being written.
    func run(_ pass: (_ isFirst: Bool, FolderChanges?) throws -> [RelativePath]) throws -> ExitCode {
        // Watch before looking: what changes during the pass is then not missed.
        let follower = try FolderFollower(music)
        if !follower.isComplete {
            Terminal.complain(
                "too many folders to watch them all (fs.inotify.max_user_watches); "
                    + "the others are looked at every \(Int(Self.scanInterval / 60)) minutes")
        }
        var isFirst = true
        var isScanDue = true
        var scannedAt = Date()
        while !cancellation.isCancelled {
            if isScanDue || Date().timeIntervalSince(scannedAt) > Self.scanInterval {
                isScanDue = false
                if !isFirst { follower.watch(music.scan().folders) }
                do {
                    follower.follow(try pass(isFirst, nil))
                } catch let error as StoreError where error.code == .noMusic {
                    if isFirst, !isQuiet { Terminal.complain("no MP3 yet; waiting for some") }
                }
                isFirst = false
                scannedAt = Date()
            }
            switch follower.news(waitingSeconds: Self.attention) {
            case .nothing: break
            case .everything: isScanDue = true
            case .some(let changes): _ = try pass(false, changes)
            }
        }
        return .success
    }
}
