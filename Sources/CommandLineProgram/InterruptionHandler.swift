import Foundation
import Synchronization

/// Turns Ctrl-C and a polite kill into a call; a second one ends the program at once.
package struct InterruptionHandler {
    private let sources: [any DispatchSourceSignal]

    /// Calls `body` at the first signal, on a queue of its own. A signal that comes after this is not lost.
    package init(_ body: @escaping @Sendable () -> Void) {
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
    package func end() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}

/// Counts signals.
private final class InterruptionCount: Sendable {
    private let value = Atomic(0)

    func count() -> Int { value.add(1, ordering: .relaxed).newValue }
}
