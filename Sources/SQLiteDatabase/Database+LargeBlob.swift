internal import CSQLite

extension Database {
    /// Writes the bytes of a blob that is there already, with as many bytes: made by `zeroblob(n)`, for instance.
    ///
    /// Unlike an argument of a statement, the bytes are never held a second time: they go from where they lie into the
    /// pages, and pages that the cache has no room for go to the disk. The last column of a table is the place for such a
    /// blob, since SQLite lays out what comes after it in memory.
    /// - Parameters:
    ///   - bytes: as many bytes as the blob has.
    ///   - table: the table, of the main database.
    ///   - column: the column; no index may hold it.
    ///   - rowID: the row.
    /// - Throws: `general` if there is no such table, column or row, or the number of bytes is another; what keeps the
    ///   file from being written.
    public func overwriteBlob(
        with bytes: [UInt8], table: String, column: String, rowID: Int64
    ) throws(DatabaseError) {
        var opened: OpaquePointer?
        var status = sqlite3_blob_open(connection, "main", table, column, rowID, 1, &opened)
        guard status == SQLITE_OK, let opened else {
            throw databaseError(connection: connection, status: status, path: path)
        }
        guard Int(sqlite3_blob_bytes(opened)) == bytes.count else {
            sqlite3_blob_close(opened)
            throw DatabaseError(.general, message: "the blob has another number of bytes", path: path)
        }
        if !bytes.isEmpty {
            // The number fits: it is that of the blob, which SQLite gives as an Int32.
            status = bytes.withUnsafeBytes {
                sqlite3_blob_write(opened, $0.baseAddress, Int32($0.count), 0)
            }
        }
        let error =
            status == SQLITE_OK ? nil : databaseError(connection: connection, status: status, path: path)
        let closed = sqlite3_blob_close(opened)
        if let error { throw error }
        guard closed == SQLITE_OK else {
            throw databaseError(connection: connection, status: closed, path: path)
        }
    }
}
