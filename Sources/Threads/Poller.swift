/// Calls a closure again and again on a thread of its own, until it is stopped or released.
package final class Poller: Sendable {
    private let name: String
    private let seconds: Double
    private let isStopped = Turnstile(false)

    /// - Parameters:
    ///   - name: the thread's name.
    ///   - seconds: the time between two calls.
    package init(_ name: String, every seconds: Double) {
        self.name = name
        self.seconds = seconds
    }

    deinit { stop() }

    /// Starts the thread, which first waits.
    /// - Parameter body: the closure to call. It must not retain the poller's owner, which would then never be released.
    package func start(_ body: @escaping @Sendable () -> Void) {
        DedicatedThread.start(name, stackBytes: 512 << 10) { [isStopped, seconds] in
            while isStopped.wait(upTo: seconds, { $0 ? true : nil }) == nil { body() }
        }
    }

    /// Stops calling, and does not wait for a call that is running.
    package func stop() { isStopped.change { $0 = true } }
}
