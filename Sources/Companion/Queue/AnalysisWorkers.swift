internal import Foundation
package import LibraryStore
package import MusicFiles
package import MusicShared
internal import Synchronization
internal import Threads

/// The workers of a host: threads that analyse files from the queue for as long as the program runs.
package final class AnalysisWorkers: Sendable {
    /// Options that users can set.
    package struct Options: Sendable {
        /// Number of files analysed in parallel.
        package var count = 1
        /// Niceness of the threads, from 0 (normal priority) to 19 (lowest).
        package var niceness = 10
        /// Tracks whose files have been missing for this many days are removed permanently; nil keeps them.
        package var pruneAfterDays: Int?
        /// Seconds from the start to the first pruning: long enough for a scan of the folder, since files may
        /// have come back.
        package var pruningDelay = 3600.0

        /// Creates the default options.
        package init() {}
    }

    /// Maximum number of results waiting for the writer: each contains spectra.
    private static let resultsWaiting = 8
    /// Seconds between two checks for requests of other programs.
    private static let interval = 0.5
    /// Seconds between two checks for tasks of processes that have ended.
    private static let recoveryInterval = 5.0
    /// Seconds between two measurements of albums while files are being analysed.
    private static let albumInterval = 10.0
    /// Seconds before another attempt to store results.
    private static let storeInterval = 1.0
    /// Seconds between two prunings.
    private static let pruningInterval = 86_400.0

    private let queue: AnalysisQueue
    private let data: DataFolder
    private let work: TaskWork
    private let worker: WorkerIdentity
    private let options: Options
    private let report: @Sendable (String) -> Void
    private let stopped = PassCancellation()
    /// Number of files being analysed.
    private let running = Mutex(0)
    private let threadCount: Turnstile<Int>
    private let tally = Mutex(AnalysisCounts(doneCount: 0, failedCount: 0))

    /// Numbers of files processed since the start.
    package var counts: AnalysisCounts { tally.withLock { $0 } }

    /// Starts the threads.
    /// - Parameter report: receives log messages for the owner.
    /// - Throws: an error if a database cannot be used.
    package init(
        music: MusicFolder, data: DataFolder, library: LibraryStore, frames: SpectrumStore,
        queue: AnalysisQueue,
        options: Options, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.queue = queue
        self.data = data
        self.options = options
        self.report = report
        work = TaskWork(
            music: music, library: library, frames: frames, store: queue.store, spoolFolder: data.path,
            triesAgain: true)
        worker = try WorkerIdentity(queue.store)
        threadCount = Turnstile(options.count + 1)
        let results = BoundedQueue<FinishedTask>(capacity: Self.resultsWaiting, producers: options.count)
        for _ in 0..<options.count {
            DedicatedThread.start("analysis", niceness: options.niceness) { [self] in
                analyze(into: results)
                results.producerFinished()
                threadCount.change { $0 -= 1 }
            }
        }
        DedicatedThread.start("analysis writer") { [self] in
            write(results)
            threadCount.change { $0 -= 1 }
        }
        queue.measureAlbums()
    }

    /// Stops the workers: files in progress are returned to the queue.
    /// - Parameter seconds: the maximum time to wait for that.
    package func stop(withinSeconds seconds: Double = 0) {
        stopped.cancel()
        queue.store.changes.signal()
        _ = threadCount.wait(upTo: seconds) { $0 == 0 ? () : nil }
    }

    /// Body of an analysis thread.
    private func analyze(into results: BoundedQueue<FinishedTask>) {
        let stopped = stopped
        while !stopped.isCancelled {
            let seen = queue.store.changes.now
            // One thread at a time, so that the number of running files is correct.
            let claim = running.withLock { running -> WorkStore.Claim in
                // If the store cannot be read now, try again later.
                let claim =
                    (try? queue.store.begin(by: worker, running: running, limit: options.count)) ?? .nothing
                if case .task = claim { running += 1 }
                return claim
            }
            guard case .task(let task) = claim else {
                queue.store.changes.wait(since: seen, seconds: Self.interval)
                continue
            }
            let finished = work.carryOut(task, by: worker) { stopped.isCancelled }
            running.withLock { $0 -= 1 }
            if let finished { results.put(finished) }
        }
    }

    /// Body of the writer thread.
    private func write(_ results: BoundedQueue<FinishedTask>) {
        var recoveredAt = Date.distantPast
        var albumsAt = Date()
        var isAlbumWishPutOff = false
        func measureAlbums() {
            // After a failure, try again, but not at once.
            isAlbumWishPutOff = !attempt("measure albums") { try work.measureAlbums() }
            albumsAt = Date()
        }
        var prunesAt = Date() + options.pruningDelay
        while true {
            if isAlbumWishPutOff, Date().timeIntervalSince(albumsAt) >= Self.albumInterval {
                queue.measureAlbums()
            }
            if Date().timeIntervalSince(recoveredAt) >= Self.recoveryInterval {
                recoveredAt = Date()
                attempt("recover tasks of other programs") { try queue.store.recover(asking: worker) }
            }
            guard let batch = results.takeAll(within: Self.interval) else {
                // Nothing arrived: there is time for background work.
                if queue.takeAlbumWish() { measureAlbums() }
                if let days = options.pruneAfterDays, Date() >= prunesAt, running.withLock({ $0 }) == 0,
                    !queue.isBusy
                {
                    attempt("remove missing tracks") { try prune(goneForDays: days) }
                    prunesAt = Date() + Self.pruningInterval
                }
                continue
            }
            if batch.isEmpty { return }
            store(batch)
            if Date().timeIntervalSince(albumsAt) >= Self.albumInterval, queue.takeAlbumWish() {
                measureAlbums()
            }
        }
    }

    private func prune(goneForDays days: Int) throws {
        // A pass stores spectra before their tracks, so do not prune during one.
        guard let lock = try? SharedPassLock(PassLock(data)) else { return }
        defer { withExtendedLifetime(lock) {} }
        let counts = try work.library.trackCounts()
        guard counts.gone <= counts.available else {
            // More likely a disk that was not mounted for long than a library that was deleted.
            report(
                "\(counts.gone) of \(counts.gone + counts.available) tracks are missing; automatic pruning is suspended. "
                    + "Use `analyze-cli prune` to list and remove them")
            return
        }
        let result = try work.library.prune(goneBefore: Date() - Double(days) * 86_400, frames: work.frames)
        if !result.tracks.isEmpty {
            report("removed \(result.tracks.count) tracks whose files have been missing for \(days) days")
        }
    }

    /// Stores a batch, retrying for as long as the databases cannot be written because the disk is full or
    /// another program has locked them. After any other error, the files are returned to the queue and
    /// analysed again later.
    private func store(_ batch: [FinishedTask]) {
        var batch = batch
        var progress = StoringProgress()
        var isReported = false
        while true {
            do {
                count(try work.store(batch, &progress))
                return
            } catch {
                if !isReported { report("results of an analysis could not be stored: \(error)") }
                isReported = true
                guard error.isTransient, !stopped.isCancelled else { break }
                stopped.wait(upTo: Self.storeInterval)
                if !progress.isRecorded { batch = work.refreshed(batch) }
            }
        }
        attempt("return files to the queue") {
            try queue.store.write { database in
                for finished in batch { try WorkStore.deferTask(finished.task, now: Date(), database) }
            }
        }
    }

    private func count(_ results: [TrackResult?]) {
        for result in results {
            guard let result else { continue }
            guard case .failed(_, let message) = result.outcome else {
                if case .vanished = result.outcome { continue }
                if let remark = result.remark { report("\(result.path) is one track: \(remark)") }
                tally.withLock { $0.doneCount += 1 }
                continue
            }
            tally.withLock { $0.failedCount += 1 }
            report("\(result.path) cannot be analysed: \(message)")
        }
        queue.measureAlbums()
    }

    @discardableResult
    private func attempt<Value>(_ what: String, _ body: () throws -> Value) -> Bool {
        do {
            _ = try body()
            return true
        } catch {
            report("could not \(what): \(error)")
            return false
        }
    }
}
