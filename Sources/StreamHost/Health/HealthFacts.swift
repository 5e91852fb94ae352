internal import Catalogue
internal import Companion
internal import FileSystem
internal import Foundation
internal import HostAccounts
internal import LibraryStore
internal import MusicShared
internal import Subsonic
internal import Synchronization

/// Collects the host's status for `/health` and `/metrics`.
final class HealthFacts: Sendable {
    private struct Counts {
        var revision: String
        var tracks: Int
        var profiles: Int
        var frames: Int
    }

    private let version: String
    private let library: LibraryStore
    private let frames: SpectrumStore
    private let clients: RemoteClients
    private let queue: AnalysisQueue
    private let push: PushFeed
    /// Kept alive as long as this object exists.
    private let analysis: HostAnalysis
    private let rescan: LibraryRescan?
    private let tunnel: TunnelState
    private let started = ProcessInfo.processInfo.systemUptime
    /// Cached per revision of the library: counting a large one takes milliseconds.
    private let counted = Mutex<Counts?>(nil)

    init(
        version: String, library: LibraryStore, frames: SpectrumStore, clients: RemoteClients,
        queue: AnalysisQueue, analysis: HostAnalysis, push: PushFeed, rescan: LibraryRescan? = nil,
        tunnel: TunnelState
    ) {
        self.tunnel = tunnel
        self.version = version
        self.library = library
        self.frames = frames
        self.clients = clients
        self.queue = queue
        self.push = push
        self.analysis = analysis
        self.rescan = rescan
    }

    /// Returns the current status. May block on disk access.
    func report() throws -> HealthReport {
        let counts = try counts()
        var report = HealthReport(status: "ok")
        report.version = version
        report.uptimeSeconds = ((ProcessInfo.processInfo.systemUptime - started) * 1000).rounded() / 1000
        report.trackCount = counts.tracks
        report.profileCount = counts.profiles
        report.spectrumCacheSize = counts.frames
        report.spectrumCacheBytes = ["", "-wal"].reduce(0) { $0 + Self.size(ofFile: frames.path + $1) }
        report.connectedClients = clients.count + push.clientCount
        report.queueLength = try queue.length
        report.analyses = analysis.counts
        report.unavailableFolders = analysis.unavailableFolders
        report.navidrome = rescan.map { NavidromeReport($0.status) }
        report.tunnel = tunnel.current
        return report
    }

    private func counts() throws -> Counts {
        let known = counted.withLock { $0 }
        let found = try library.catalogue { reader -> Counts? in
            let revision = try reader.revision
            if revision == known?.revision { return nil }
            return Counts(
                revision: revision, tracks: try reader.trackCount, profiles: try reader.profileCount,
                frames: 0)
        }
        // Frames are stored before their track, so the library's revision also covers the frame count.
        guard var found else { return known ?? Counts(revision: "", tracks: 0, profiles: 0, frames: 0) }
        found.frames = try frames.count()
        counted.withLock { $0 = found }
        return found
    }

    private static func size(ofFile path: String) -> Int {
        (try? Files.status(of: path))?.byteCount ?? 0
    }
}
