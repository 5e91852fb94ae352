internal import Foundation

/// A first-in, first-out queue between threads that holds a limited number of elements: whoever puts one more waits.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
    // Proof: all state below is touched only with the condition locked.
    private let condition = NSCondition()
    private var elements: [Element] = []
    private var producers: Int
    private let capacity: Int

    /// - Parameters:
    ///   - capacity: elements that may wait.
    ///   - producers: how many will call ``producerFinished()``.
    init(capacity: Int, producers: Int) {
        self.capacity = capacity
        self.producers = producers
    }

    /// Puts an element at the end; waits while the queue is full.
    func put(_ element: Element) {
        condition.lock()
        while elements.count >= capacity { condition.wait() }
        elements.append(element)
        condition.broadcast()
        condition.unlock()
    }

    /// Tells that one producer puts no more.
    func producerFinished() {
        condition.lock()
        producers -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// Takes everything that waits, at least one element; empty when all producers have finished.
    func takeAll() -> [Element] { takeAll(within: .infinity) ?? [] }

    /// The same, but nil when nothing has come within some seconds.
    func takeAll(within seconds: Double) -> [Element]? {
        // A condition does not take just any date.
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
