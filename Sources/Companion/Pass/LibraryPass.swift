internal import Analyzer
internal import Foundation
internal import MusicShared
internal import Synchronization

/// One pass over a music folder: finds what is new or changed, asks the queue for it, and works on the queue until it is done.
///
/// Files are analysed on threads of their own, one file each; one writer stores their results in small batches, each a
/// transaction. A kill at any moment loses at most the files in flight and those of the batch under way; whoever works on
/// the queue next does them. A host that runs beside takes part in the work. Only one pass works on a data folder at a time.
public final class LibraryPass: Sendable {
    let music: MusicFolder
    let options: PassOptions
    private let cancellation: PassCancellation
    private let lock: SharedPassLock
    /// The library that the pass works on.
    public let library: LibraryStore
    private let frames: FrameStore
    private let store: WorkStore
    private let worker: WorkerIdentity
    /// The frames of long tracks wait here for the writer, on the disk that they are going to.
    private let spoolFolder: String

    /// Opens the library and takes the lock of the data folder, until this object is gone.
    /// - Throws: `StoreError` `passRunning` when another pass works on the data folder, `DatabaseError` when a database
    ///   cannot be used.
    public init(
        music: MusicFolder, data: DataFolder, options: PassOptions,
        cancellation: PassCancellation = PassCancellation()
    ) throws {
        self.music = music
        self.options = options
        self.cancellation = cancellation
        lock = SharedPassLock(try PassLock(data))
        library = try LibraryStore(data)
        frames = try FrameStore(data)
        store = try WorkStore(data)
        worker = try WorkerIdentity(store)
        spoolFolder = data.path
    }

    /// The same pass without the wish to analyse everything again.
    public func incremental() -> LibraryPass {
        var options = options
        options.isForced = false
        return LibraryPass(self, options)
    }

    private init(_ other: LibraryPass, _ options: PassOptions) {
        music = other.music
        self.options = options
        cancellation = other.cancellation
        lock = other.lock
        library = other.library
        frames = other.frames
        store = other.store
        worker = other.worker
        spoolFolder = other.spoolFolder
    }

    /// Runs the pass, on this thread and others, to its end.
    /// - Parameter report: told of each file; called from this thread only.
    /// - Throws: `StoreError` `musicFolder` when there is nothing to do because the folder holds no MP3;
    ///   `DatabaseError` when the store fails, on a full disk for instance: what was stored before stays.
    public func run(_ report: (PassEvent) -> Void = { _ in }) throws -> PassSummary {
        let contents = music.scan { cancellation.isCancelled }
        guard !cancellation.isCancelled else {
            // What was not looked at is not gone.
            var summary = PassSummary()
            summary.wasCancelled = true
            return summary
        }
        guard !contents.entries.isEmpty || !contents.unreadable.isEmpty else {
            // An empty folder is more likely a disk that is not mounted than a library given up.
            throw StoreError(.noMusic, "holds no file named .mp3", path: music.displayPath)
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
        // Files in a folder that could not be read are not known to be gone.
        if unreadable.isEmpty {
            try remove(try library.markGone { present.contains($0) }, &summary)
        }
        try finish(summary)
        return summary
    }

    /// The same for what has changed in the folder, without looking at the rest of it.
    /// - Throws: `DatabaseError` when the store fails.
    public func run(
        on changes: FolderChanges, _ report: (PassEvent) -> Void = { _ in }
    ) throws -> PassSummary {
        let entries = changes.entries(in: music)
        var summary = PassSummary()
        summary.fileCount = entries.count
        // Files that are told of are complete.
        var scan = scan
        scan.settlingSeconds = 0
        try work(on: try scan.plan(entries), unreadable: [], &summary, report)
        // A file that has moved is known at its new place by now.
        try remove(
            try library.markGone(at: changes.places) { music.scannedEntry(at: $0) != nil }, &summary)
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
        try library.welcomeBack(plan.returned, telling: store)
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
            let crew = PassCrew(
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

    private func remove(_ gone: [PushTrack], _ summary: inout PassSummary) throws {
        summary.removedCount = gone.count
        if !gone.isEmpty { try store.announce([.tracksRemoved(gone)]) }
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

/// A lock that several passes, one after the other, hold together.
private final class SharedPassLock: Sendable {
    private let lock: PassLock

    init(_ lock: consuming PassLock) { self.lock = lock }
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
