internal import Catalogue
internal import Companion
internal import FileSystem
internal import Foundation
internal import HostAccounts
internal import LibraryStore
internal import MusicShared
internal import Subsonic
internal import Threads

/// Collects the host's status for `/health` and `/metrics`.
final class HealthFacts: Sendable {
    private struct Counts {
        let tracks: Int
        let profiles: Int
        let frames: Int
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
    private let following: FollowerParts?
    private let listening: ListeningStore
    private let started = ProcessInfo.processInfo.systemUptime
    /// By revision of the library: counting a large one takes milliseconds.
    private let counted = Memo<String, Counts>(capacity: 1)

    init(
        version: String, library: LibraryStore, frames: SpectrumStore, clients: RemoteClients,
        queue: AnalysisQueue, analysis: HostAnalysis, push: PushFeed, rescan: LibraryRescan? = nil,
        tunnel: TunnelState, following: FollowerParts? = nil, listening: ListeningStore
    ) {
        self.tunnel = tunnel
        self.following = following
        self.listening = listening
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
        report.following = following?.report
        report.sharedListening = listening.sharingReport
        return report
    }

    private func counts() throws -> Counts {
        try library.catalogue { reader in
            // Spectra are stored before their track, so the library's revision also covers their count.
            try counted.value(for: try reader.revision) {
                Counts(
                    tracks: try reader.trackCount, profiles: try reader.profileCount,
                    frames: try frames.count())
            }
        }
    }

    private static func size(ofFile path: String) -> Int {
        (try? Files.status(of: path))?.byteCount ?? 0
    }
}
