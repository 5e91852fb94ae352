import Foundation

/// Runs a blocking function on a separate thread: Swift's thread pool is small, and handlers of other tests
/// need it.
func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body() }) }
        // The decoder and SQLite need a larger stack than the default for secondary threads.
        thread.stackSize = 4 << 20
        thread.start()
    }
}
