internal import CSQLite

/// An existing blob, for instance from `zeroblob(n)`, opened for sequential overwriting.
///
/// Unlike with statement arguments, the bytes are not copied: they are written directly to the pages, and pages that do not fit
/// into the cache go to the disk. The blob should be the last column of its table, since SQLite assembles the columns after it
/// in memory.
///
/// Must be used within one transaction. Closed when it goes out of scope; ``close()`` reports errors.
package struct BlobWriter: ~Copyable {
    private var handle: OpaquePointer?
    private let database: Database
    private var position = 0

    /// Size of the blob in bytes.
    package let count: Int

    /// Opens the blob in one row of a table of the main database. The column must not be indexed.
    /// - Throws: `general` if the table, column or row does not exist, or the value is not a blob.
    package init(_ database: Database, table: String, column: String, rowID: Int64) throws(DatabaseError) {
        let opened = try database.openBlob(
            table: table, column: column, rowID: rowID, forWriting: true)
        handle = opened
        self.database = database
        count = Int(sqlite3_blob_bytes(opened))
    }

    deinit { sqlite3_blob_close(handle) }

    /// Writes the next bytes.
    /// - Throws: `general` if they exceed the blob's size; errors of writing the file.
    package mutating func append(_ bytes: [UInt8]) throws(DatabaseError) {
        guard bytes.count <= count - position else { throw wrongCount() }
        guard !bytes.isEmpty else { return }
        // No overflow: the numbers are within the blob, whose length is an Int32 in SQLite.
        let status = bytes.withUnsafeBytes {
            sqlite3_blob_write(handle, $0.baseAddress, Int32($0.count), Int32(position))
        }
        guard status == SQLITE_OK else {
            throw databaseError(connection: database.connection, status: status, path: database.path)
        }
        position += bytes.count
    }

    /// Ends writing; nothing can be appended afterwards.
    /// - Throws: `general` if bytes are missing; errors of writing the file.
    package mutating func close() throws(DatabaseError) {
        guard position == count else { throw wrongCount() }
        let closing = handle
        handle = nil
        let status = sqlite3_blob_close(closing)
        guard status == SQLITE_OK else {
            throw databaseError(connection: database.connection, status: status, path: database.path)
        }
    }

    private func wrongCount() -> DatabaseError {
        DatabaseError(.general, message: "the data does not match the size of the blob", path: database.path)
    }
}
