internal import Synchronization

/// Values that take work to make, by what they are made for: a few are kept.
///
/// Where there are too many all are let go: clients ask for few kinds of a thing, but could ask for any number.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let capacity: Int
    private let values = Mutex<[Key: Value]>([:])

    init(capacity: Int = 16) { self.capacity = capacity }

    /// The value kept for a key, or a new one.
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
