internal import APIDescription
internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicFiles
internal import MusicShared

/// Background work of a host: watches the music folder and analyses queued files. Stops when deallocated.
final class HostAnalysis: Sendable {
    /// Nil for a host that follows another one, which analyses.
    private let workers: AnalysisWorkers?
    private let watch: LibraryWatch?

    init(
        music: MusicFolder, data: DataFolder, library: LibraryStore, frames: SpectrumStore,
        queue: AnalysisQueue,
        workers options: AnalysisWorkers.Options, watch watchOptions: LibraryWatch.Options,
        report: @escaping @Sendable (String) -> Void
    ) throws {
        workers = try AnalysisWorkers(
            music: music, data: data, library: library, frames: frames, queue: queue,
            options: options, report: report)
        watch = LibraryWatch(
            music: music, library: library, frames: frames, queue: queue, options: watchOptions,
            report: report)
    }

    /// The background work of a host that follows another one: none.
    init() { (workers, watch) = (nil, nil) }

    /// Folders that are currently unavailable and whose tracks are kept.
    var unavailableFolders: [UnavailableFolder] { watch?.unavailableFolders ?? [] }

    /// Requests a scan of the whole music folder.
    func requestScan() { watch?.requestScan() }

    /// Marks missing tracks of unavailable folders as removed.
    /// - Throws: `StoreError` `notUnavailable` if a path is not that of an unavailable folder.
    func confirmRemoval(of paths: [String]) throws -> RemovalReport {
        guard let watch else { throw APIError.primaryAway() }
        return try watch.confirmRemoval(of: paths)
    }

    /// Numbers of processed files.
    var counts: AnalysisCounts { workers?.counts ?? AnalysisCounts(doneCount: 0, failedCount: 0) }

    deinit { stop(withinSeconds: 0) }

    /// Stops watching and analysing.
    func stop(withinSeconds seconds: Double) {
        watch?.stop()
        workers?.stop(withinSeconds: seconds)
    }
}
