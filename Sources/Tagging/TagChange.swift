/// What is to become of one field.
public enum TagChange<Value: Sendable & Hashable>: Sendable, Hashable {
    /// It stays as it is.
    case leave
    /// It gets a value, whatever it was.
    case set(Value)
    /// It goes.
    case remove

    /// Whether the field stays as it is.
    public var isLeft: Bool { self == .leave }

    /// The value after the change.
    func applied(to value: Value?) -> Value? {
        switch self {
        case .leave: value
        case .set(let new): new
        case .remove: nil
        }
    }
}
