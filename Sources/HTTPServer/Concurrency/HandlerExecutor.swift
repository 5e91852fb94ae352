internal import Synchronization
internal import Threads

/// Runs handlers on threads separate from those that the program's other tasks share.
///
/// Swift runs all tasks on as many threads as there are cores. A handler that reads a database or a file blocks its thread,
/// and computations such as the analysis of a library keep all of them busy for seconds. Separate threads, more than there
/// are cores, keep the two from blocking each other: the operating system schedules them fairly.
final class HandlerExecutor: TaskExecutor {
    /// The executor shared by all servers of the process.
    static let shared = HandlerExecutor(threadLimit: max(8, 4 * availableCoreCount()))

    private struct State {
        /// The queued jobs, from `head` on.
        var jobs: [UnownedJob] = []
        var head = 0
        var threadCount = 0
        var idleCount = 0

        var waitingCount: Int { jobs.count - head }

        mutating func takeJob() -> UnownedJob? {
            guard head < jobs.count else { return nil }
            let job = jobs[head]
            head += 1
            if head == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 1024 {
                jobs.removeFirst(head)
                head = 0
            }
            return job
        }
    }

    private let threadLimit: Int
    private let state = Mutex(State())
    /// Counts the queued jobs.
    private let signal = Semaphore()

    private init(threadLimit: Int) {
        self.threadLimit = threadLimit
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.idleCount < state.waitingCount, state.threadCount < threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        // If no thread can be created, the job waits for an existing one, or for the next attempt.
        if needsThread, !DedicatedThread.start("http handler", { self.run() }) {
            state.withLock { $0.threadCount -= 1 }
        }
        signal.post()
    }

    private func run() -> Never {
        let executor = asUnownedTaskExecutor()
        while true {
            state.withLock { $0.idleCount += 1 }
            signal.wait()
            let job = state.withLock { state in
                state.idleCount -= 1
                return state.takeJob()
            }
            job?.runSynchronously(on: executor)
        }
    }
}
