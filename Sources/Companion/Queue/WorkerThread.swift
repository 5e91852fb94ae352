internal import CThreadPriority
internal import Foundation

/// Threads for analyses.
enum WorkerThread {
    /// Starts a thread.
    /// - Parameter niceness: the niceness of the thread, from 0 (normal priority) to 19 (lowest).
    static func start(niceness: Int, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            if niceness > 0 { thread_step_back(Int32(min(19, niceness))) }
            body()
        }
        // The decoder and SQLite need more than the 512 kB stack that a secondary thread has by default.
        thread.stackSize = 4 << 20
        thread.name = "analysis"
        thread.start()
    }
}
