internal import CSQLite

/// A prepared statement. Owned by one ``Database``, which outlives it; finalised with its last reference.
final class Statement {
    let handle: OpaquePointer
    let sql: String
    let path: String
    /// Names of the columns; nil for one that repeats an earlier name: the first counts, as in SQLite's own lookups.
    private let columnNames: [String?]
    /// Column indexes by name, for reads in another order than that of the query.
    private lazy var columnIndexes: [String: Int32] = {
        var indexes: [String: Int32] = [:]
        for (index, name) in columnNames.enumerated() { if let name { indexes[name] = Int32(index) } }
        return indexes
    }()
    /// The column after the one that was read last.
    private var nextColumn = 0

    init(_ sql: String, connection: OpaquePointer, path: String) throws(DatabaseError) {
        var prepared: OpaquePointer?
        var text = sql
        let status = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    connection, $0.baseAddress, Int32(clamping: $0.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
            }
        }
        guard status == SQLITE_OK else {
            throw databaseError(connection: connection, status: status, sql: sql, path: path)
        }
        guard let prepared else {
            throw DatabaseError(.misuse, message: "the statement is empty", sql: sql, path: path)
        }
        handle = prepared
        var known: Set<String> = []
        columnNames = (0..<sqlite3_column_count(prepared)).map { index in
            let name = Self.columnName(index, of: prepared)
            return known.insert(name).inserted ? name : nil
        }
        self.sql = sql
        self.path = path
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ arguments: [(any DatabaseBindable)?]) throws(DatabaseError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard expected == arguments.count else {
            throw DatabaseError(
                .argumentCount,
                message: "the statement has \(expected) parameters, but got \(arguments.count) arguments",
                sql: sql, path: path)
        }
        for (offset, argument) in arguments.enumerated() {
            try check(bind(argument?.databaseValue ?? .null, at: Int32(offset + 1)))
        }
    }

    private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .real(let number): return sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty string may have no address, which SQLite would treat as NULL.
                    guard let base = characters.baseAddress else {
                        return csqlite_bind_text_copied(handle, index, "", 0)
                    }
                    return csqlite_bind_text_copied(handle, index, base, UInt64(characters.count))
                }
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_zeroblob(handle, index, 0)
                }
                return csqlite_bind_blob_copied(handle, index, base, UInt64(bytes.count))
            }
        }
    }

    /// Throws `misuse` unless the rows have exactly one column.
    func requireOneColumn() throws(DatabaseError) {
        let count = sqlite3_column_count(handle)
        guard count == 1 else {
            throw DatabaseError(
                .misuse, message: "the query has \(count) columns, not one: read its rows by column name",
                sql: sql, path: path)
        }
    }

    /// The index of the column with a name; nil if it does not exist.
    ///
    /// Tries the column after the last one first, which takes no hashing: most readers read all columns in the order of the
    /// query.
    func columnIndex(_ name: String) -> Int32? {
        let next = nextColumn
        if next < columnNames.count, columnNames[next] == name {
            nextColumn = next + 1
            return Int32(next)
        }
        guard let index = columnIndexes[name] else { return nil }
        nextColumn = Int(index) + 1
        return index
    }

    /// The name of a column by its zero-based index, for messages.
    func columnName(_ index: Int32) -> String { Self.columnName(index, of: handle) }

    private static func columnName(_ index: Int32, of handle: OpaquePointer) -> String {
        // SQLite returns no name if memory is exhausted.
        sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
    }

    /// Advances to the next row. Returns false at the end.
    func step() throws(DatabaseError) -> Bool {
        nextColumn = 0
        let status = sqlite3_step(handle)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            throw databaseError(connection: sqlite3_db_handle(handle), status: status, sql: sql, path: path)
        }
    }

    /// Returns the number of operations since the last call.
    func takeStepCount() -> Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)) }

    /// Resets the statement for its next run and releases its arguments.
    func reset() {
        // The status repeats what step() has already reported.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func check(_ status: Int32) throws(DatabaseError) {
        guard status == SQLITE_OK else {
            throw databaseError(connection: sqlite3_db_handle(handle), status: status, sql: sql, path: path)
        }
    }
}

/// Converts a result code to an error, with the connection's message if it belongs to that code.
func databaseError(
    connection: OpaquePointer?, status: Int32, sql: String? = nil, path: String
) -> DatabaseError {
    let primary = status & 0xff
    var extended = status
    var message = String(cString: sqlite3_errstr(status))
    if let connection, sqlite3_errcode(connection) & 0xff == primary {
        extended = sqlite3_extended_errcode(connection)
        message = String(cString: sqlite3_errmsg(connection))
    }
    return DatabaseError(
        DatabaseError.Code(rawValue: primary), extendedCode: extended, message: message, sql: sql, path: path)
}
