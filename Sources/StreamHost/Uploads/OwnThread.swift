internal import Foundation

/// Runs work that takes long, away from the threads that handlers share.
enum OwnThread {
    /// What is handed to the thread.
    ///
    /// @unchecked: whoever hands it over waits for the thread's end and touches it no more until then.
    private struct Handover<Value>: @unchecked Sendable {
        let value: Value
    }

    /// Runs work on a thread of its own and waits for it without blocking. It goes on even if nobody waits any more.
    /// - Parameter value: what the work is about; the caller's alone.
    static func run<Value, Result: Sendable>(
        with value: Value, _ body: @escaping @Sendable (Value) throws -> Result
    ) async throws -> Result {
        let handover = Handover(value: value)
        return try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                continuation.resume(with: Swift.Result { try body(handover.value) })
            }
            // The decoder and SQLite need more than the 512 kB that a secondary thread has by default.
            thread.stackSize = 4 << 20
            thread.start()
        }
    }
}
