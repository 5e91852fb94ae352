internal import Foundation
public import MusicShared
internal import Synchronization

/// The workers of a host: threads that take files from the queue and analyse them, for as long as the program runs.
public final class AnalysisWorkers: Sendable {
    /// What a user may choose.
    public struct Options: Sendable {
        /// Files analysed at the same time.
        public var count = 1
        /// How far they step back behind everything else that the machine does, from 0 (not at all) to 19.
        public var niceness = 10

        /// The defaults.
        public init() {}
    }

    /// Results that may wait for the writer: they hold visualizer frames.
    private static let resultsWaiting = 8
    /// Seconds between two looks for what other programs ask for.
    private static let interval = 0.5
    /// Seconds between two looks for programs that have died with something begun.
    private static let recoveryInterval = 5.0
    /// While there is always something to analyse, albums are measured every so many seconds.
    private static let albumInterval = 10.0

    private let queue: AnalysisQueue
    private let work: TaskWork
    private let worker: WorkerIdentity
    private let options: Options
    private let report: @Sendable (String) -> Void
    private let stopped = PassCancellation()
    /// Files that the threads are at.
    private let running = Mutex(0)
    private let threadCount: Mutex<Int>
    private let tally = Mutex(AnalysisCounts(doneCount: 0, failedCount: 0))

    /// Files that were dealt with since the start.
    public var counts: AnalysisCounts { tally.withLock { $0 } }

    /// Starts the threads.
    /// - Parameter report: told of what the owner should know.
    /// - Throws: what keeps the databases from being used.
    public init(
        music: MusicFolder, data: DataFolder, library: LibraryStore, frames: FrameStore, queue: AnalysisQueue,
        options: Options, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.queue = queue
        self.options = options
        self.report = report
        work = TaskWork(
            music: music, library: library, frames: frames, store: queue.store, spoolFolder: data.path,
            triesAgain: true)
        worker = try WorkerIdentity(queue.store)
        threadCount = Mutex(options.count + 1)
        let results = BoundedQueue<FinishedTask>(capacity: Self.resultsWaiting, producers: options.count)
        for _ in 0..<options.count {
            WorkerThread.start(niceness: options.niceness) { [self] in
                analyze(into: results)
                results.producerFinished()
                threadCount.withLock { $0 -= 1 }
            }
        }
        WorkerThread.start(niceness: 0) { [self] in
            write(results)
            threadCount.withLock { $0 -= 1 }
        }
        queue.measureAlbums()
    }

    /// Ends the work: files in flight are given back to the queue.
    /// - Parameter seconds: how long to wait for that.
    public func stop(withinSeconds seconds: Double = 0) {
        stopped.cancel()
        queue.store.changes.tell()
        let end = Date() + seconds
        while threadCount.withLock({ $0 }) > 0, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// A thread that analyses.
    private func analyze(into results: BoundedQueue<FinishedTask>) {
        let stopped = stopped
        while !stopped.isCancelled {
            let seen = queue.store.changes.now
            // One after the other, so that the number of files under way is true.
            let claim = running.withLock { running -> WorkStore.Claim in
                // A store that cannot be asked now is asked again.
                let claim =
                    (try? queue.store.begin(by: worker, running: running, limit: options.count)) ?? .nothing
                if case .task = claim { running += 1 }
                return claim
            }
            guard case .task(let task) = claim else {
                queue.store.changes.wait(since: seen, seconds: Self.interval)
                continue
            }
            let finished = work.carryOut(task) { stopped.isCancelled }
            running.withLock { $0 -= 1 }
            results.put(finished)
        }
    }

    /// The thread that stores.
    private func write(_ results: BoundedQueue<FinishedTask>) {
        var recoveredAt = Date.distantPast
        var albumsAt = Date()
        while true {
            if Date().timeIntervalSince(recoveredAt) >= Self.recoveryInterval {
                recoveredAt = Date()
                attempt("look for what others have left") { try queue.store.recover(asking: worker) }
            }
            guard let batch = results.takeAll(within: Self.interval) else {
                // Nothing came: there is time for what nobody waits for.
                if queue.takeAlbumWish() { measureAlbums(&albumsAt) }
                continue
            }
            if batch.isEmpty { return }
            store(batch)
            if Date().timeIntervalSince(albumsAt) >= Self.albumInterval, queue.takeAlbumWish() {
                measureAlbums(&albumsAt)
            }
        }
    }

    private func measureAlbums(_ measuredAt: inout Date) {
        attempt("measure albums") { try work.measureAlbums() }
        measuredAt = Date()
    }

    /// Stores a batch. If it cannot be stored, a full disk for instance, its files are given back and looked at again later.
    private func store(_ batch: [FinishedTask]) {
        do {
            for result in try work.store(batch) {
                guard let result else { continue }
                guard case .failed(_, let message) = result.outcome else {
                    if case .vanished = result.outcome { continue }
                    tally.withLock { $0.doneCount += 1 }
                    continue
                }
                tally.withLock { $0.failedCount += 1 }
                report("\(result.path) cannot be analysed: \(message)")
            }
            queue.measureAlbums()
        } catch {
            report("results of an analysis could not be stored: \(error)")
            attempt("give files back to the queue") {
                try queue.store.write { database in
                    for finished in batch { try WorkStore.putOff(finished.task, now: Date(), database) }
                }
            }
        }
    }

    private func attempt(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch { report("could not \(what): \(error)") }
    }
}
