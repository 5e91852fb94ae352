import Foundation

/// Turns Ctrl-C and a polite kill into a call; a second one ends the program at once.
public struct InterruptionHandler {
    private let sources: [any DispatchSourceSignal]

    /// Calls `body` at the first signal, on a queue of the system's.
    public init(_ body: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            let isFirst = InterruptionCount()
            source.setEventHandler {
                if isFirst.count() == 1 { body() } else { Terminal.end(128 + number) }
            }
            source.resume()
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
