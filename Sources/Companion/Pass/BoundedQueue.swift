internal import Foundation

/// A bounded first-in, first-out queue between threads: producers block while it is full.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    // Safe: all state below is accessed only with the condition locked.
    private let condition = NSCondition()
    private var elements: [Element] = []
    private var producers: Int
    private let capacity: Int

    /// - Parameters:
    ///   - capacity: the maximum number of elements in the queue.
    ///   - producers: the number of producers, each of which calls ``producerFinished()`` once.
    init(capacity: Int, producers: Int) {
        self.capacity = capacity
        self.producers = producers
    }

    /// Appends an element; blocks while the queue is full.
    func put(_ element: Element) {
        condition.lock()
        while elements.count >= capacity { condition.wait() }
        elements.append(element)
        condition.broadcast()
        condition.unlock()
    }

    /// Signals that one producer is done.
    func producerFinished() {
        condition.lock()
        producers -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// Removes and returns all elements; blocks until there is at least one. Empty when all producers have
    /// finished.
    func takeAll() -> [Element] { takeAll(within: .infinity) ?? [] }

    /// The same, but nil if no element arrives within some seconds.
    func takeAll(within seconds: Double) -> [Element]? {
        // A condition does not accept arbitrarily late dates.
        let end = Date() + min(seconds, 1e6)
        condition.lock()
        defer { condition.unlock() }
        while elements.isEmpty, producers > 0 {
            guard condition.wait(until: end) || seconds.isInfinite else { return nil }
        }
        let taken = elements
        elements = []
        condition.broadcast()
        return taken
    }
}
