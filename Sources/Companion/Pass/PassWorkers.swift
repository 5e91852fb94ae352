internal import Analyzer
internal import Foundation
internal import LibraryStore
internal import MusicFiles
internal import Synchronization
internal import Threads

/// The threads of one pass: they work on the queue until the files of the pass have been processed, here or
/// by another program.
struct PassWorkers {
    /// Maximum number of results waiting for the writer: each contains spectra.
    private static let resultsWaiting = 16
    /// Seconds between two checks for files that another program is analysing.
    private static let interval = 0.1
    /// Number of files queued in one transaction.
    private static let batch = 10_000

    let work: TaskWork
    let worker: WorkerIdentity
    let options: PassOptions
    let cancellation: PassCancellation

    private struct State {
        /// Files of the pass that have not been started by this program.
        var waiting: Set<RelativePath>
        /// Number of files being analysed by the threads.
        var running = 0
    }

    /// A result, files processed by another program, or files that were postponed.
    private enum Message: Sendable {
        case finished(FinishedTask)
        case byOthers([RelativePath])
        case deferred([TrackResult])
    }

    /// Queues files and waits until all of them are done.
    /// - Parameter report: called for each file processed here, including those requested by others, and for
    ///   those of the pass that another program has processed.
    func run(_ entries: [MusicFolder.Entry], _ report: (TrackResult) -> Void) throws {
        try work.store.recover(asking: worker)
        for start in stride(from: 0, to: entries.count, by: Self.batch) {
            let part = entries[start..<min(entries.count, start + Self.batch)]
            _ = try work.store.enqueue(part.map(request), pass: worker.id, wantsPlaces: false)
        }
        let shared = Shared(waiting: Set(entries.map(\.path)))
        let jobs = max(1, min(options.jobs, entries.count))
        let messages = BoundedQueue<Message>(capacity: Self.resultsWaiting, producers: jobs)
        let stopped = PassCancellation()
        for _ in 0..<jobs {
            DedicatedThread.start("analysis", niceness: options.niceness) {
                analyze(shared, into: messages, stopped)
                messages.producerFinished()
            }
        }
        try store(messages, stopped, report)
    }

    private final class Shared: Sendable {
        let state: Mutex<State>

        init(waiting: Set<RelativePath>) { state = Mutex(State(waiting: waiting)) }
    }

    private func store(
        _ messages: BoundedQueue<Message>, _ stopped: PassCancellation, _ report: (TrackResult) -> Void
    ) throws {
        var failure: (any Error)?
        while true {
            let batch = messages.takeAll()
            if batch.isEmpty { break }
            // After a failure of the store, only wait for the workers to finish.
            guard failure == nil else { continue }
            do {
                try take(batch, report)
            } catch {
                failure = error
                stopped.cancel()
            }
        }
        // Withdraw files that have not been started; if that fails, the next worker on the queue analyses them.
        if cancellation.isCancelled || failure != nil { try? work.store.withdraw(pass: worker) }
        if let failure { throw failure }
    }

    private func request(_ entry: MusicFolder.Entry) -> AnalysisRequest {
        var request = AnalysisRequest(entry.path, priority: .found, file: entry.file)
        request.parts = options.parts
        request.isForced = options.isForced
        request.settings = options.settings
        return request
    }

    private func analyze(
        _ shared: Shared, into messages: BoundedQueue<Message>, _ stopped: PassCancellation
    ) {
        let cancellation = cancellation
        while !cancellation.isCancelled, !stopped.isCancelled {
            let seen = work.store.changes.now
            let claim = shared.state.withLock { state -> WorkStore.Claim? in
                if state.waiting.isEmpty { return nil }
                // If the store cannot be read, the writer fails too and reports it.
                guard
                    let claim = try? work.store.begin(
                        by: worker, running: state.running, limit: options.jobs)
                else { return .later }
                if case .task(let task) = claim {
                    state.waiting.remove(task.path)
                    state.running += 1
                }
                return claim
            }
            switch claim {
            case nil: return
            case .task(let task):
                let finished = work.carryOut(task, by: worker) {
                    cancellation.isCancelled || stopped.isCancelled
                }
                shared.state.withLock { state in
                    state.running -= 1
                    if finished == nil { state.waiting.insert(task.path) }
                }
                if let finished { messages.put(.finished(finished)) }
            case .later: work.store.changes.wait(since: seen, seconds: Self.interval)
            case .nothing:
                // All remaining files are being processed by another program.
                let done = shared.state.withLock { state -> [RelativePath] in
                    let done = state.waiting.filter { (try? work.store.hasTask($0)) == false }
                    state.waiting.subtract(done)
                    return Array(done)
                }
                let deferred = shared.state.withLock { state -> [TrackResult] in
                    let deferred = state.waiting.compactMap { path in
                        (try? work.store.delayAfterKills(path)).map {
                            Self.result(path, postponedUntil: $0.until, attempts: $0.attempts)
                        }
                    }
                    state.waiting.subtract(deferred.map(\.path))
                    return deferred
                }
                if !deferred.isEmpty { messages.put(.deferred(deferred)) }
                if done.isEmpty {
                    try? work.store.recover(asking: worker)
                    work.store.changes.wait(since: seen, seconds: Self.interval)
                } else {
                    messages.put(.byOthers(done))
                }
            }
        }
    }

    private func take(_ batch: [Message], _ report: (TrackResult) -> Void) throws {
        let finished = batch.compactMap { message -> FinishedTask? in
            if case .finished(let task) = message { task } else { nil }
        }
        let results = finished.isEmpty ? [] : try work.store(finished)
        for result in results { if let result { report(result) } }
        for case .byOthers(let paths) in batch {
            for path in paths { report(try result(at: path)) }
        }
        for case .deferred(let results) in batch {
            for result in results { report(result) }
        }
    }

    private static func result(
        _ path: RelativePath, postponedUntil date: Date, attempts: Int
    ) -> TrackResult {
        TrackResult(
            path: path, fileSize: 0,
            outcome: .failed(
                code: "put_off",
                message: """
                    the program was killed \(attempts) times during the analysis of this file; it is retried after \
                    \(date.ISO8601Format()), or with --force
                    """))
    }

    /// The result of another program for a file.
    private func result(at path: RelativePath) throws -> TrackResult {
        if let failure = try work.library.failure(at: path) {
            return TrackResult(
                path: path, fileSize: failure.file.size,
                outcome: .failed(code: failure.errorCode, message: failure.message))
        }
        let tracks = try work.library.trackPaths(ofFile: path).compactMap { try work.library.track(path: $0) }
            .filter { $0.track.unavailableSince == nil }
        let seconds = tracks.compactMap { $0.analysis?.stream.durationSeconds }
        guard let first = tracks.first, !seconds.isEmpty else {
            return TrackResult(path: path, fileSize: 0, outcome: .vanished)
        }
        return TrackResult(
            path: path, fileSize: first.track.file.size,
            outcome: .analyzed(audioSeconds: seconds.reduce(0, +)))
    }
}
