internal import CSQLite

/// A row of a result, valid only inside the closure it is passed to.
///
/// Read columns by name (`try row["title"]`) or, in hot loops, by zero-based index (`try row[0]`). The type is inferred from
/// the context: an optional type reads NULL as nil; any other type throws ``DatabaseError/Code/typeMismatch`` for NULL and for
/// a value of another type.
package struct Row: ~Copyable {
    let statement: Statement

    /// Number of columns in the row.
    package var columnCount: Int { Int(sqlite3_column_count(statement.handle)) }

    /// The value of a column by zero-based index.
    package subscript<Value: DatabaseReadable>(_ index: Int) -> Value {
        get throws(DatabaseError) {
            try required(at: validated(index)) { "column \(index)" }
        }
    }

    /// The value of a column by zero-based index, nil for NULL.
    package subscript<Value: DatabaseReadable>(_ index: Int) -> Value? {
        get throws(DatabaseError) {
            try optional(at: validated(index)) { "column \(index)" }
        }
    }

    /// The value of a column by name.
    package subscript<Value: DatabaseReadable>(_ name: String) -> Value {
        get throws(DatabaseError) {
            try required(at: columnIndex(name)) { "column \(name)" }
        }
    }

    /// The value of a column by name, nil for NULL.
    package subscript<Value: DatabaseReadable>(_ name: String) -> Value? {
        get throws(DatabaseError) {
            try optional(at: columnIndex(name)) { "column \(name)" }
        }
    }

    private func columnIndex(_ name: String) throws(DatabaseError) -> Int32 {
        guard let index = statement.columnIndexes[name] else {
            throw error(.noSuchColumn, "the row has no column \(name)")
        }
        return index
    }

    private func validated(_ index: Int) throws(DatabaseError) -> Int32 {
        guard index >= 0, index < columnCount else {
            throw error(.noSuchColumn, "the row has \(columnCount) columns, no column \(index)")
        }
        return Int32(index)
    }

    private func required<Value: DatabaseReadable>(
        at index: Int32, column: () -> String
    ) throws(DatabaseError) -> Value {
        guard let value: Value = try optional(at: index, column: column) else {
            throw error(.typeMismatch, "\(column()) is NULL, not \(Value.self)")
        }
        return value
    }

    private func optional<Value: DatabaseReadable>(
        at index: Int32, column: () -> String
    ) throws(DatabaseError) -> Value? {
        let stored = value(at: index)
        if stored == .null { return nil }
        guard let value = Value(databaseValue: stored) else {
            throw error(.typeMismatch, "\(column()) is not of type \(Value.self)")
        }
        return value
    }

    private func value(at index: Int32) -> DatabaseValue {
        let handle = statement.handle
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            guard let bytes = sqlite3_column_text(handle, index) else { return .text("") }
            let count = Int(sqlite3_column_bytes(handle, index))
            return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            // SQLite returns no address for an empty blob.
            guard let bytes = sqlite3_column_blob(handle, index) else { return .blob([]) }
            let count = Int(sqlite3_column_bytes(handle, index))
            return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }

    private func error(_ code: DatabaseError.Code, _ message: String) -> DatabaseError {
        DatabaseError(code, message: message, sql: statement.sql, path: statement.path)
    }
}
