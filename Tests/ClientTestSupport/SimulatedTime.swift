internal import Foundation

/// Time that only advances when all tasks are idle: hours of playback take moments, and results are reproducible.
///
/// Tasks that prefer it as their executor run one after the other on one thread. When no task is left to run, the clock
/// advances to the earliest wakeup time.
package final class SimulatedTime: TaskExecutor, Clock, @unchecked Sendable {
    // Proof: all mutable state is under the condition's lock.

    package struct Instant: InstantProtocol {
        package var seconds: Duration
        package func advanced(by duration: Duration) -> Instant { Instant(seconds: seconds + duration) }
        package func duration(to other: Instant) -> Duration { other.seconds - seconds }
        package static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var sleepers: [Sleeper] = []
    private var cancelled: Set<Int> = []
    private var nextID = 0
    private var time = Instant(seconds: .zero)
    private var isEnded = false

    package var minimumResolution: Duration { .nanoseconds(1) }
    package var now: Instant { condition.withLock { time } }

    /// Runs a test in simulated time.
    package static func run<Result: Sendable>(
        _ body: @Sendable (SimulatedTime) async throws -> Result
    ) async throws -> Result {
        let time = SimulatedTime()
        Thread { time.loop() }.start()
        defer { time.end() }
        return try await withTaskExecutorPreference(time) { try await body(time) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = condition.withLock {
            nextID += 1
            return nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = condition.withLock {
                    guard cancelled.remove(id) == nil else { return true }
                    sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    condition.signal()
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper: Sleeper? = condition.withLock {
                guard let place = sleepers.firstIndex(where: { $0.id == id }) else {
                    cancelled.insert(id)
                    return nil
                }
                return sleepers.remove(at: place)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func end() {
        condition.withLock {
            isEnded = true
            condition.signal()
        }
    }

    private enum Step {
        case job(UnownedJob)
        case wake(Sleeper)
    }

    private func loop() {
        while let step = nextStep() {
            switch step {
            case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
            case .wake(let sleeper): sleeper.continuation.resume()
            }
        }
    }

    private func nextStep() -> Step? {
        condition.withLock {
            while true {
                if !jobs.isEmpty { return .job(jobs.removeFirst()) }
                if isEnded { return nil }
                let first = sleepers.indices.min { a, b in
                    (sleepers[a].deadline, sleepers[a].id) < (sleepers[b].deadline, sleepers[b].id)
                }
                if let first {
                    let sleeper = sleepers.remove(at: first)
                    time = max(time, sleeper.deadline)
                    return .wake(sleeper)
                }
                condition.wait()
            }
        }
    }
}
