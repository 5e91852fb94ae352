import Foundation

/// Turns Ctrl-C and a polite kill into a call; a second one ends the program at once.
public struct InterruptionHandler {
    private let sources: [any DispatchSourceSignal]

    /// Calls `body` at the first signal, on a queue of its own. A signal that comes after this is not lost.
    public init(_ body: @escaping @Sendable () -> Void) {
        // Not a global queue: those share their few threads with tasks, which may be busy.
        let queue = DispatchQueue(label: "interruption")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let isListening = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isListening.signal() }
            let isFirst = InterruptionCount()
            source.setEventHandler {
                if isFirst.count() == 1 { body() } else { Terminal.end(128 + number) }
            }
            source.resume()
            // The system's queues take it up in their own time; until then the signal would be ignored.
            isListening.wait()
            return source
        }
    }

    /// Gives the signals their default action back.
    public func end() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}

/// Counts signals. Used on one queue only.
private final class InterruptionCount: @unchecked Sendable {
    // Proof: a dispatch source runs its handler once at a time.
    private var value = 0

    func count() -> Int {
        value += 1
        return value
    }
}
