internal import CSQLite

/// A stored blob opened for incremental reading, so that reading a slice of a large blob touches only its own pages.
///
/// Closed when it goes out of scope. If the same row is written while it is open, the next read throws
/// ``DatabaseError/Code/general`` (`SQLITE_ABORT`, number 4).
package struct BlobReader: ~Copyable {
    private let handle: OpaquePointer
    private let database: Database

    /// Size of the blob in bytes.
    package let count: Int

    /// Opens the blob in one row of a table.
    /// - Throws: `general` if the table, column or row does not exist, or the value is not a blob.
    package init(_ database: Database, table: String, column: String, rowID: Int64) throws(DatabaseError) {
        let opened = try database.openBlob(
            table: table, column: column, rowID: rowID, forWriting: false)
        handle = opened
        self.database = database
        count = Int(sqlite3_blob_bytes(opened))
    }

    deinit { sqlite3_blob_close(handle) }

    /// Reads a range of bytes, clamped to the blob.
    package borrowing func read(_ range: Range<Int>) throws(DatabaseError) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return [] }
        var status = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            status = sqlite3_blob_read(
                handle, buffer.baseAddress, Int32(range.count), Int32(range.lowerBound))
            initialized = status == SQLITE_OK ? range.count : 0
        }
        guard status == SQLITE_OK else {
            throw databaseError(connection: database.connection, status: status, path: database.path)
        }
        return bytes
    }
}
