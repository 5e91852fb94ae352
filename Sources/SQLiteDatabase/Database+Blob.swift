internal import CSQLite

extension Database {
    /// Opens the blob in one row of a table of the main database; the caller must close it.
    func openBlob(
        table: String, column: String, rowID: Int64, forWriting: Bool
    ) throws(DatabaseError) -> OpaquePointer {
        var opened: OpaquePointer?
        let status = sqlite3_blob_open(
            connection, "main", table, column, rowID, forWriting ? 1 : 0, &opened)
        guard status == SQLITE_OK, let opened else {
            throw databaseError(connection: connection, status: status, path: path)
        }
        return opened
    }
}
