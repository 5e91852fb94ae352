internal import Synchronization

/// A small cache of values that are expensive to compute.
///
/// When it is full, it is cleared: clients usually request few variants, but could request any number.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let values = Mutex<[Key: Value]>([:])

    init(capacity: Int = 16) { self.capacity = capacity }

    /// Returns the cached value for a key, or computes it.
    func value<Failure: Error>(for key: Key, make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let made = try make()
        values.withLock { values in
            if values.count >= capacity { values.removeAll() }
            values[key] = made
        }
        return made
    }
}
