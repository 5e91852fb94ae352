internal import CThreadPriority
internal import Foundation

/// Threads that analyse.
enum WorkerThread {
    /// Starts a thread.
    /// - Parameter niceness: how far it steps back behind everything else that the machine does, from 0 (not at all) to 19.
    static func start(niceness: Int, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            if niceness > 0 { thread_step_back(Int32(min(19, niceness))) }
            body()
        }
        // The decoder and SQLite need more than the 512 kB that a secondary thread has by default.
        thread.stackSize = 4 << 20
        thread.name = "analysis"
        thread.start()
    }
}
