internal import Analyzer
internal import Foundation
package import LibraryStore
package import MusicFiles
internal import MusicShared
internal import Synchronization

/// One pass over a music folder: finds new and changed files, puts them in the queue, and works on the queue
/// until they are done.
///
/// Each analysis thread works on one file at a time; a single writer stores the results in small batches,
/// each in one transaction. A kill at any moment loses at most the files in progress and those of the current
/// batch; the next worker on the queue analyses them. A host that runs at the same time shares the work. Only
/// one pass works on a data folder at a time.
package final class LibraryPass: Sendable {
    let music: MusicFolder
    let options: PassOptions
    private let cancellation: PassCancellation
    private let lock: SharedPassLock
    private let binding: MusicBinding
    /// The library that the pass updates.
    package let library: LibraryStore
    private let frames: SpectrumStore
    private let store: WorkStore
    private let worker: WorkerIdentity
    /// Folder for the spectra of long tracks until the writer stores them: the data folder.
    private let spoolFolder: String

    /// Opens the library and holds the lock of the data folder until deinit.
    /// - Throws: `StoreError` `passRunning` if another pass works on the data folder, `otherMusic` if it
    ///   belongs to another music folder, `DatabaseError` if a database cannot be used.
    package init(
        music: MusicFolder, data: DataFolder, options: PassOptions,
        cancellation: PassCancellation = PassCancellation()
    ) throws {
        self.music = music
        self.options = options
        self.cancellation = cancellation
        lock = SharedPassLock(try PassLock(data))
        binding = try MusicBinding(data, to: music, rebinds: options.rebinds)
        library = try LibraryStore(data)
        frames = try SpectrumStore(data)
        store = try WorkStore(data)
        worker = try WorkerIdentity(store)
        spoolFolder = data.path
    }

    /// The same pass without forced analysis and without confirmed removals.
    package func incremental() -> LibraryPass {
        var options = options
        options.isForced = false
        options.confirmedRemovals = []
        return LibraryPass(self, options)
    }

    private init(_ other: LibraryPass, _ options: PassOptions) {
        music = other.music
        self.options = options
        cancellation = other.cancellation
        lock = other.lock
        binding = other.binding
        library = other.library
        frames = other.frames
        store = other.store
        worker = other.worker
        spoolFolder = other.spoolFolder
    }

    /// Runs the pass to its end, on this and further threads.
    /// - Parameter report: called for each file, on this thread only.
    /// - Throws: `StoreError` `noMusic` if there is nothing to do because the folder contains no music files;
    ///   `DatabaseError` if the store fails, for instance on a full disk: what was stored before is kept.
    package func run(_ report: (PassEvent) -> Void = { _ in }) throws -> PassSummary {
        let contents = music.scan { cancellation.isCancelled }
        guard !cancellation.isCancelled else {
            // Files that have not been scanned are not missing.
            var summary = PassSummary()
            summary.wasCancelled = true
            return summary
        }
        guard
            !contents.entries.isEmpty || !contents.unreadable.isEmpty
                || options.confirmedRemovals.contains(nil)
        else {
            // An empty folder is more likely an unmounted disk than a library that was deleted.
            let count = try library.availableCount()
            let kept =
                count == 0
                ? ""
                : "; the library keeps its \(count) tracks unless you confirm with --confirm-removed ."
            throw StoreError(
                .noMusic, "contains no \(AudioFormat.acceptedExtensions) files\(kept)",
                path: music.displayPath)
        }
        let present = Set(contents.entries.map(\.path))
        var summary = PassSummary()
        summary.fileCount = contents.entries.count
        let unreadable = contents.unreadable.map { path, reason in
            TrackFailure(
                path: path, code: AnalyzerError.Code.fileUnreadable.rawValue,
                message: "cannot be read: \(reason)")
        }
        try work(on: try scan.plan(contents), unreadable: unreadable, &summary, report)
        if !cancellation.isCancelled {
            try note(
                try missing.settle(after: contents, confirmed: options.confirmedRemovals) {
                    present.contains($0)
                },
                &summary)
        }
        try finish(summary)
        return summary
    }

    /// Runs the pass only for changes in the folder, without scanning the rest of it.
    /// - Throws: `DatabaseError` if the store fails.
    package func run(
        on changes: FolderChanges, _ report: (PassEvent) -> Void = { _ in }
    ) throws -> PassSummary {
        let entries = changes.entries(in: music)
        var summary = PassSummary()
        summary.fileCount = entries.count
        // Changes are reported only for complete files.
        var scan = scan
        scan.settlingSeconds = 0
        try work(on: try scan.plan(entries), unreadable: [], &summary, report)
        // At this point, a moved file has been recorded at its new path.
        try note(try missing.settle(at: changes.places), &summary)
        try finish(summary)
        return summary
    }

    private var scan: LibraryScan {
        LibraryScan(
            music: music, library: library, frames: frames, parts: options.parts, isForced: options.isForced,
            settlingSeconds: options.settlingSeconds)
    }

    private func work(
        on plan: LibraryScan.Plan, unreadable: [TrackFailure], _ summary: inout PassSummary,
        _ report: (PassEvent) -> Void
    ) throws {
        summary.unchangedCount = plan.unchangedCount
        summary.unsettled = plan.unsettled
        try library.markReturned(plan.returned, telling: store)
        report(
            .scanned(
                PassPlan(
                    fileCount: summary.fileCount, unchangedCount: plan.unchangedCount,
                    stillFailingCount: plan.knownFailures.count, toDoCount: plan.toDo.count,
                    toDoBytes: plan.toDo.reduce(0) { $0 + $1.file.size })))
        for failure in plan.knownFailures {
            summary.failedCount += 1
            report(.stillFailing(failure))
        }
        for failure in unreadable {
            summary.failedCount += 1
            report(.unreadable(failure))
        }
        if !plan.toDo.isEmpty {
            let crew = PassWorkers(
                work: TaskWork(
                    music: music, library: library, frames: frames, store: store, spoolFolder: spoolFolder,
                    triesAgain: false, stageTimes: options.stageTimes),
                worker: worker, options: options, cancellation: cancellation)
            try crew.run(plan.toDo) { result in
                summary.count(result)
                report(.finished(result))
            }
        }
        summary.wasCancelled = cancellation.isCancelled
    }

    private var missing: MissingTracks { MissingTracks(music: music, library: library, store: store) }

    private func note(_ outcome: MissingTracks.Outcome, _ summary: inout PassSummary) throws {
        summary.removedCount = outcome.gone.count
        summary.unavailable = outcome.unavailable
        if !outcome.gone.isEmpty { try store.announce([.tracksRemoved(outcome.gone)]) }
    }

    private func finish(_ summary: PassSummary) throws {
        try TaskWork(
            music: music, library: library, frames: frames, store: store, spoolFolder: spoolFolder,
            triesAgain: false
        ).measureAlbums()
        try library.checkpoint()
        try frames.checkpoint()
        try store.checkpoint()
    }
}

extension PassSummary {
    fileprivate mutating func count(_ result: TrackResult) {
        switch result.outcome {
        case .analyzed(let seconds):
            analyzedCount += 1
            audioSeconds += seconds
        case .linked: linkedCount += 1
        case .failed: failedCount += 1
        case .vanished: vanishedCount += 1
        }
    }
}
