internal import Foundation

/// A thread for calls that wait for a device: the system's queues have few threads, which others need.
final class DeviceThread: SerialExecutor {
    private let jobs = JobList()

    init() {
        let jobs = jobs
        let thread = Thread { jobs.run() }
        thread.name = "audio-output"
        thread.start()
    }

    deinit { jobs.end() }

    func enqueue(_ job: consuming ExecutorJob) {
        // The job, and with it its actor, keeps this executor alive until it has run.
        jobs.add(UnownedJob(job), asUnownedSerialExecutor())
    }
}

/// Jobs that wait for the thread.
private final class JobList: @unchecked Sendable {
    // Proof: everything is read and written under the condition's lock.
    private let condition = NSCondition()
    private var jobs: [(UnownedJob, UnownedSerialExecutor)] = []
    private var isEnded = false

    func add(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
        condition.withLock {
            jobs.append((job, executor))
            condition.signal()
        }
    }

    func end() {
        condition.withLock {
            isEnded = true
            condition.signal()
        }
    }

    func run() {
        while let next = take() { next.0.runSynchronously(on: next.1) }
    }

    private func take() -> (UnownedJob, UnownedSerialExecutor)? {
        condition.withLock {
            while jobs.isEmpty, !isEnded { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
