internal import CSQLite

/// A blob that is there already, opened to be overwritten from its beginning to its end: made by `zeroblob(n)`, for
/// instance.
///
/// Unlike an argument of a statement, the bytes are never held a second time: they go from where they lie into the
/// pages, and pages that the cache has no room for go to the disk. The last column of a table is the place for such a
/// blob, since SQLite lays out what comes after it in memory.
///
/// To be used within one transaction. Closes when it goes out of scope; ``close()`` tells of what went wrong.
public struct BlobWriter: ~Copyable {
    private var handle: OpaquePointer?
    private let database: Database
    private var position = 0

    /// How many bytes the blob has.
    public let count: Int

    /// Opens the blob in one row of a table of the main database. No index may hold the column.
    /// - Throws: `general` if there is no such table, column or row, or it holds no blob.
    public init(_ database: Database, table: String, column: String, rowID: Int64) throws(DatabaseError) {
        let opened = try database.openBlob(
            table: table, column: column, rowID: rowID, forWriting: true)
        handle = opened
        self.database = database
        count = Int(sqlite3_blob_bytes(opened))
    }

    deinit { sqlite3_blob_close(handle) }

    /// Writes the next bytes.
    /// - Throws: `general` if they go past the blob's end; what keeps the file from being written.
    public mutating func append(_ bytes: [UInt8]) throws(DatabaseError) {
        guard bytes.count <= count - position else { throw wrongCount() }
        guard !bytes.isEmpty else { return }
        // The numbers fit: they lie within the blob, whose length SQLite gives as an Int32.
        let status = bytes.withUnsafeBytes {
            sqlite3_blob_write(handle, $0.baseAddress, Int32($0.count), Int32(position))
        }
        guard status == SQLITE_OK else {
            throw databaseError(connection: database.connection, status: status, path: database.path)
        }
        position += bytes.count
    }

    /// Ends the writing; nothing can be appended after it.
    /// - Throws: `general` if bytes are missing; what keeps the file from being written.
    public mutating func close() throws(DatabaseError) {
        guard position == count else { throw wrongCount() }
        let closing = handle
        handle = nil
        let status = sqlite3_blob_close(closing)
        guard status == SQLITE_OK else {
            throw databaseError(connection: database.connection, status: status, path: database.path)
        }
    }

    private func wrongCount() -> DatabaseError {
        DatabaseError(.general, message: "the blob has another number of bytes", path: database.path)
    }
}
