/// Calls a closure again and again on a thread of its own, until it is stopped or released.
package final class Poller: Sendable {
    private let isStopped = Turnstile(false)

    /// Starts the thread, which first waits.
    /// - Parameters:
    ///   - name: the thread's name.
    ///   - seconds: the time between two calls.
    ///   - body: what to call. It must not retain the poller's owner, which would then never be released.
    package init(_ name: String, every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        DedicatedThread.start(name, stackBytes: 512 << 10) { [isStopped] in
            while isStopped.wait(upTo: seconds, { $0 ? true : nil }) == nil { body() }
        }
    }

    deinit { stop() }

    /// Stops calling, and does not wait for a call that is running.
    package func stop() { isStopped.change { $0 = true } }
}
