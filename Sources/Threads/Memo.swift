internal import Synchronization

/// Values that are expensive to compute, kept by what they were computed from, such as a library's revision.
///
/// When it is full, it is cleared: most callers need few values, but could ask for any number.
package final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let values = Mutex<[Key: Value]>([:])

    /// - Parameter capacity: maximum number of values; 1 to keep the value of the latest key only.
    package init(capacity: Int) { self.capacity = capacity }

    /// The known value for a key.
    package subscript(key: Key) -> Value? {
        get { values.withLock { $0[key] } }
        set { values.withLock { set(newValue, for: key, in: &$0) } }
    }

    /// Discards all values.
    package func removeAll() { values.withLock { $0.removeAll() } }

    /// Returns the known value for a key, or computes it. Callers that ask for a new key at the same time may all compute it.
    package func value<Failure: Error>(
        for key: Key, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let known = self[key] { return known }
        let made = try make()
        self[key] = made
        return made
    }

    /// Returns the known value for a key, or computes it while all other callers wait.
    /// - Parameter make: must not use this memo.
    package func valueMadeOnce<Failure: Error>(
        for key: Key, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try values.withLock { values throws(Failure) in
            if let known = values[key] { return known }
            let made = try make()
            set(made, for: key, in: &values)
            return made
        }
    }

    private func set(_ value: Value?, for key: Key, in values: inout [Key: Value]) {
        if values.count >= capacity { values.removeAll(keepingCapacity: true) }
        values[key] = value
    }
}
