import Foundation

/// Runs something that blocks on a thread of its own: tasks have few threads, and handlers of other tests need them.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body() }) }
        // The decoder and SQLite need more than a secondary thread has.
        thread.stackSize = 4 << 20
        thread.start()
    }
}
