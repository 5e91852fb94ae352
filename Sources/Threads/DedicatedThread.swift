internal import CThreadPriority
internal import Glibc

/// A thread of its own, outside Swift's shared pool, for work that blocks.
///
/// Swift runs all tasks on as many threads as there are cores: a task that waits for a disk or a device there delays all others.
package enum DedicatedThread {
    /// Stack size of a thread that decodes or uses SQLite, in bytes. Memory is only used once it is touched.
    package static let largeStack = 4 << 20

    private final class Work: Sendable {
        let name: String
        let niceness: Int
        let body: @Sendable () -> Void

        init(name: String, niceness: Int, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.niceness = niceness
            self.body = body
        }

        func run() {
            // Linux keeps 15 bytes of a name.
            thread_set_name(String(decoding: name.utf8.prefix(15), as: UTF8.self))
            if niceness > 0 { thread_step_back(Int32(min(19, niceness))) }
            body()
        }
    }

    /// Starts a thread; nothing waits for its end.
    /// - Parameters:
    ///   - name: its name in debuggers and `ps -L`; the first 15 bytes count.
    ///   - stackBytes: size of its stack.
    ///   - niceness: how far to lower its priority for processor and disk, from 0 (not at all) to 19.
    /// - Returns: whether the system could create it.
    @discardableResult
    package static func start(
        _ name: String, stackBytes: Int = largeStack, niceness: Int = 0,
        _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, max(stackBytes, 128 << 10))
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = Unmanaged.passRetained(Work(name: name, niceness: niceness, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return false
        }
        return true
    }

    /// Blocks the calling thread for some time.
    package static func sleep(seconds: Double) { _ = Turnstile(()).wait(upTo: seconds) { _ in nil as Void? } }

    /// Passes a value to the thread.
    ///
    /// @unchecked: the caller waits for the thread and does not use the value until it has ended.
    private struct Handover<Value>: @unchecked Sendable {
        let value: Value
    }

    /// Runs work on a new thread and waits for its result without blocking a thread of Swift's pool. If the caller is
    /// cancelled, the work still continues.
    /// - Parameter value: input of the work; must not be shared.
    /// - Throws: the error of the work, or ``ThreadError`` if no thread can be created.
    package static func run<Value, Result: Sendable>(
        _ name: String, with value: Value, _ body: @escaping @Sendable (Value) throws -> Result
    ) async throws -> Result {
        let handover = Handover(value: value)
        return try await withCheckedThrowingContinuation { continuation in
            let isStarted = start(name) {
                continuation.resume(with: Swift.Result { try body(handover.value) })
            }
            if !isStarted { continuation.resume(throwing: ThreadError()) }
        }
    }

    /// Runs work without input on a new thread, as ``run(_:with:_:)``.
    package static func run<Result: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await run(name, with: ()) { _ in try body() }
    }
}

/// The system cannot create another thread.
package struct ThreadError: Error, CustomStringConvertible {
    /// The error as text for users.
    package let description = "the system cannot create another thread"

    /// Creates the error.
    package init() {}
}
