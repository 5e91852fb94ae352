/// Runs the jobs of an actor on a thread of its own, for calls that wait for a device or a disk.
package final class ThreadExecutor: SerialExecutor {
    private struct State {
        var jobs: [(job: UnownedJob, executor: UnownedSerialExecutor)] = []
        var isEnded = false
    }

    private let state = Turnstile(State())

    /// Starts the thread, which ends once the executor is released.
    /// - Parameter name: the thread's name.
    package init(_ name: String) {
        let state = state
        DedicatedThread.start(name) {
            while true {
                // Empty at the end only.
                let jobs = state.wait { state -> [(job: UnownedJob, executor: UnownedSerialExecutor)]? in
                    guard !state.jobs.isEmpty || state.isEnded else { return nil }
                    defer { state.jobs = [] }
                    return state.jobs
                }
                guard let jobs, !jobs.isEmpty else { return }
                for (job, executor) in jobs { job.runSynchronously(on: executor) }
            }
        }
    }

    deinit { state.change { $0.isEnded = true } }

    package func enqueue(_ job: consuming ExecutorJob) {
        // The job, and with it its actor, keeps this executor alive until it has run.
        let job = UnownedJob(job)
        state.change { $0.jobs.append((job, asUnownedSerialExecutor())) }
    }
}
