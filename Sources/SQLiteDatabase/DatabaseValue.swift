/// A value as stored by SQLite.
package enum DatabaseValue: Hashable, Sendable {
    /// No value.
    case null
    /// A signed 64-bit number.
    case integer(Int64)
    /// A double. SQLite has no NaN: it is stored as NULL.
    case real(Double)
    /// Text in UTF-8.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// A type whose values can be passed to a statement.
package protocol DatabaseBindable {
    /// The value as stored by SQLite.
    var databaseValue: DatabaseValue { get }
}

/// A type that can be read from a column.
package protocol DatabaseReadable {
    /// Converts a column's value; returns nil if the column has another type.
    ///
    /// Never called for NULL, which reads as nil for optional types and is an error otherwise.
    init?(databaseValue: DatabaseValue)
}

extension DatabaseValue: DatabaseBindable {
    /// The value itself.
    package var databaseValue: DatabaseValue { self }
}

/// A list of numbers, which a statement reads with `json_each(?)`: one statement for any number of ids.
package struct NumberList: DatabaseBindable {
    private let numbers: [Int]

    /// Creates a list.
    package init(_ numbers: [Int]) { self.numbers = numbers }

    /// A JSON array.
    package var databaseValue: DatabaseValue {
        .text("[" + numbers.lazy.map { String($0) }.joined(separator: ",") + "]")
    }
}

extension Int: DatabaseBindable, DatabaseReadable {
    /// An integer.
    package var databaseValue: DatabaseValue { .integer(Int64(self)) }

    /// Reads an integer.
    package init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue, let exact = Int(exactly: value) else { return nil }
        self = exact
    }
}

extension Int64: DatabaseBindable, DatabaseReadable {
    /// An integer.
    package var databaseValue: DatabaseValue { .integer(self) }

    /// Reads an integer.
    package init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self = value
    }
}

extension Double: DatabaseBindable, DatabaseReadable {
    /// A real number.
    package var databaseValue: DatabaseValue { .real(self) }

    /// Reads a real number, or converts an integer.
    package init?(databaseValue: DatabaseValue) {
        switch databaseValue {
        case .real(let value): self = value
        case .integer(let value): self = Double(value)
        default: return nil
        }
    }
}

extension Bool: DatabaseBindable, DatabaseReadable {
    /// 1 for true, 0 for false.
    package var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

    /// Reads an integer: anything but 0 is true.
    package init?(databaseValue: DatabaseValue) {
        guard case .integer(let value) = databaseValue else { return nil }
        self = value != 0
    }
}

extension String: DatabaseBindable, DatabaseReadable {
    /// Text.
    package var databaseValue: DatabaseValue { .text(self) }

    /// Reads text.
    package init?(databaseValue: DatabaseValue) {
        guard case .text(let value) = databaseValue else { return nil }
        self = value
    }
}

extension [UInt8]: DatabaseBindable, DatabaseReadable {
    /// Bytes.
    package var databaseValue: DatabaseValue { .blob(self) }

    /// Reads bytes.
    package init?(databaseValue: DatabaseValue) {
        guard case .blob(let value) = databaseValue else { return nil }
        self = value
    }
}
