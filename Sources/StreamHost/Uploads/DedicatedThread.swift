internal import Foundation

/// Runs long work on a dedicated thread, away from the threads shared by handlers.
enum DedicatedThread {
    /// Passes a value to the thread.
    ///
    /// @unchecked: the caller waits for the thread and does not use the value until it has ended.
    private struct Handover<Value>: @unchecked Sendable {
        let value: Value
    }

    /// Runs work on a new thread and waits for it without blocking. If the caller is cancelled, the work
    /// still continues.
    ///
    /// - Parameter value: Input of the work; must not be shared.
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
