internal import Foundation

/// A serial queue for disk access, separate from the threads that run tasks.
package final class DiskQueue: Sendable {
    private let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs `body` after all earlier work, without waiting for it.
    package func enqueue(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs `body` after all earlier work and returns its result.
    package func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
