internal import Analyzer
internal import Foundation
internal import Synchronization

/// The threads of one pass: they work on the queue until the files of the pass are done, by them or by others.
struct PassCrew {
    /// Results that may wait for the writer: they hold visualizer frames.
    private static let resultsWaiting = 16
    /// Seconds between two looks at files that another program is at.
    private static let interval = 0.1
    /// Files that go into the queue in one transaction.
    private static let batch = 10_000

    let work: TaskWork
    let worker: WorkerIdentity
    let options: PassOptions
    let cancellation: PassCancellation

    private struct State {
        /// Files of the pass that nobody here has begun.
        var waiting: Set<RelativePath>
        /// Files that the threads are at.
        var running = 0
    }

    /// A result, or the files that another program has dealt with.
    private enum Message: Sendable {
        case finished(FinishedTask)
        case byOthers([RelativePath])
    }

    /// Puts files into the queue and waits until all are done.
    /// - Parameter report: told of each file that was dealt with here, those that others asked for included, and of those of
    ///   the pass that another program dealt with.
    func run(_ entries: [MusicFolder.Entry], _ report: (TrackResult) -> Void) throws {
        try work.store.recover(asking: worker)
        for start in stride(from: 0, to: entries.count, by: Self.batch) {
            let part = entries[start..<min(entries.count, start + Self.batch)]
            _ = try work.store.ask(part.map(request), pass: worker.id, wantsPlaces: false)
        }
        let shared = Shared(waiting: Set(entries.map(\.path)))
        let jobs = max(1, min(options.jobs, entries.count))
        let messages = BoundedQueue<Message>(capacity: Self.resultsWaiting, producers: jobs)
        let stopped = PassCancellation()
        for _ in 0..<jobs {
            WorkerThread.start(niceness: options.niceness) {
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
            // After a failure of the store the workers are only waited for.
            guard failure == nil else { continue }
            do {
                try take(batch, report)
            } catch {
                failure = error
                stopped.cancel()
            }
        }
        // What nobody has begun is not wanted any more; if the store has failed, whoever works on it next does it.
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
                // A store that cannot be asked has failed for the writer as well, which tells of it.
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
                let finished = work.carryOut(task) { cancellation.isCancelled || stopped.isCancelled }
                shared.state.withLock { $0.running -= 1 }
                messages.put(.finished(finished))
            case .later: work.store.changes.wait(since: seen, seconds: Self.interval)
            case .nothing:
                // All that is left is in the hands of another program.
                let done = shared.state.withLock { state -> [RelativePath] in
                    let done = state.waiting.filter { (try? work.store.hasTask($0)) == false }
                    state.waiting.subtract(done)
                    return Array(done)
                }
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
    }

    /// What another program has made of a file.
    private func result(at path: RelativePath) throws -> TrackResult {
        if let failure = try work.library.failure(at: path) {
            return TrackResult(
                path: path, fileSize: failure.file.size,
                outcome: .failed(code: failure.errorCode, message: failure.message))
        }
        guard let track = try work.library.track(path: path), let analysis = track.analysis,
            track.track.unavailableSince == nil
        else { return TrackResult(path: path, fileSize: 0, outcome: .vanished) }
        return TrackResult(
            path: path, fileSize: track.track.file.size,
            outcome: .analyzed(audioSeconds: analysis.stream.durationSeconds))
    }
}
