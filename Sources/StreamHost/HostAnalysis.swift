internal import Companion
internal import Foundation
internal import MusicShared

/// What a host does beside answering: it watches the music folder, and analyses what waits in the queue. Ends with the last who holds it.
final class HostAnalysis: Sendable {
    private let workers: AnalysisWorkers
    private let watch: LibraryWatch

    init(
        music: MusicFolder, data: DataFolder, library: LibraryStore, frames: FrameStore, queue: AnalysisQueue,
        settings: Host.Settings, report: @escaping @Sendable (String) -> Void
    ) throws {
        workers = try AnalysisWorkers(
            music: music, data: data, library: library, frames: frames, queue: queue,
            options: settings.workers, report: report)
        watch = LibraryWatch(
            music: music, library: library, frames: frames, queue: queue, options: settings.watch,
            report: report)
    }

    /// Files that were dealt with.
    var counts: AnalysisCounts { workers.counts }

    deinit { stop(withinSeconds: 0) }

    /// Ends the work.
    func stop(withinSeconds seconds: Double) {
        watch.stop()
        workers.stop(withinSeconds: seconds)
    }
}
