/// A bounded first-in, first-out queue between threads: producers block while it is full.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var producers: Int
    }

    private let state: Turnstile<State>
    private let capacity: Int

    /// - Parameters:
    ///   - capacity: the maximum number of elements in the queue.
    ///   - producers: the number of producers, each of which calls ``producerFinished()`` once.
    package init(capacity: Int, producers: Int) {
        self.capacity = capacity
        state = Turnstile(State(producers: producers))
    }

    /// Appends an element; blocks while the queue is full.
    package func put(_ element: Element) {
        state.wait { state -> Void? in
            guard state.elements.count < capacity else { return nil }
            state.elements.append(element)
            return ()
        }
    }

    /// Signals that one producer is done.
    package func producerFinished() { state.change { $0.producers -= 1 } }

    /// Removes and returns all elements; blocks until there is at least one. Empty when all producers have finished.
    package func takeAll() -> [Element] { take(within: nil) ?? [] }

    /// The same, but nil if no element arrives within some seconds.
    package func takeAll(within seconds: Double) -> [Element]? { take(within: seconds) }

    private func take(within seconds: Double?) -> [Element]? {
        state.wait(upTo: seconds) { state in
            guard !state.elements.isEmpty || state.producers == 0 else { return nil }
            defer { state.elements = [] }
            return state.elements
        }
    }
}
