/// A change to one field.
package enum TagChange<Value: Sendable & Hashable>: Sendable, Hashable {
    /// Keeps the field.
    case leave
    /// Sets a new value.
    case set(Value)
    /// Removes the field.
    case remove

    /// Whether the field is kept.
    package var isLeft: Bool { self == .leave }

    /// Returns the value after the change.
    func applied(to value: Value?) -> Value? {
        switch self {
        case .leave: value
        case .set(let new): new
        case .remove: nil
        }
    }
}
