internal import Glibc

/// A thread outside Swift's thread pool, for blocking work.
enum ServerThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a detached thread.
    /// - Returns: Whether the thread could be created.
    @discardableResult
    static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
