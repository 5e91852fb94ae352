internal import CSQLite

/// A row of a result, valid only inside the closure it is passed to.
///
/// Columns are read by name (`try row["title"]`), fastest in the order of the query. A computed column gets its name with
/// `AS`; of columns with the same name the first counts. The type is inferred from the context: an optional type reads NULL as
/// nil; any other type throws ``DatabaseError/Code/typeMismatch`` for NULL and for a value of another type.
///
/// The usual types have code of their own: generic code of another module looks up their metadata for each value.
package struct Row: ~Copyable {
    let statement: Statement

    /// The value of a column.
    package subscript<Value: DatabaseReadable>(_ name: String) -> Value {
        @specialized(where Value == Int)
        @specialized(where Value == Double)
        @specialized(where Value == String)
        @specialized(where Value == Bool)
        @specialized(where Value == [UInt8])
        get throws(DatabaseError) { try required(at: columnIndex(name)) }
    }

    /// The value of a column, nil for NULL.
    package subscript<Value: DatabaseReadable>(_ name: String) -> Value? {
        @specialized(where Value == Int)
        @specialized(where Value == Double)
        @specialized(where Value == String)
        @specialized(where Value == Bool)
        @specialized(where Value == [UInt8])
        get throws(DatabaseError) { try optional(at: columnIndex(name)) }
    }

    /// The values of all columns, in the order of the query.
    package var values: [DatabaseValue] {
        (0..<sqlite3_column_count(statement.handle)).map { value(at: $0) }
    }

    private func columnIndex(_ name: String) throws(DatabaseError) -> Int32 {
        guard let index = statement.columnIndex(name) else {
            throw error(.noSuchColumn, "the row has no column \(name)")
        }
        return index
    }

    /// The value of a column by its zero-based index, which must be valid.
    func required<Value: DatabaseReadable>(at index: Int32) throws(DatabaseError) -> Value {
        guard let value: Value = try optional(at: index) else {
            throw error(.typeMismatch, "column \(statement.columnName(index)) is NULL, not \(Value.self)")
        }
        return value
    }

    /// The value of a column by its zero-based index, which must be valid; nil for NULL.
    func optional<Value: DatabaseReadable>(at index: Int32) throws(DatabaseError) -> Value? {
        let stored = value(at: index)
        if case .null = stored { return nil }
        guard let value = Value(databaseValue: stored) else {
            throw error(.typeMismatch, "column \(statement.columnName(index)) is not of type \(Value.self)")
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
