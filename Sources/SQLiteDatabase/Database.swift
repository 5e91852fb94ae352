internal import CSQLite

/// One connection to an SQLite database file.
///
/// Not for use by several threads at once: keep it in an actor or a `Mutex`, and open one connection per
/// thread that reads at the same time. Calls block while the disk works. The connection is closed when the
/// last reference goes away.
public final class Database {
    /// How a file is opened.
    public struct Options: Sendable {
        /// What may be done with the file.
        public enum Access: Sendable {
            /// Read only; the file must be there.
            case readOnly
            /// Read and write; the file must be there.
            case readWrite
            /// Read and write; the file is made if it is not there.
            case create
        }

        /// What may be done with the file.
        public var access: Access
        /// How long to wait for another connection's lock before `busy` is thrown, in milliseconds.
        public var busyTimeoutMilliseconds: Int32
        /// The size of the page cache, in KiB.
        public var cacheKibibytes: Int
        /// The size of a page of a file that is made now, in bytes: a power of two from 512 to 65,536. Large
        /// pages suit large blobs. A file that is there already keeps its own.
        public var pageSize: Int

        /// Makes options.
        public init(
            access: Access = .create, busyTimeoutMilliseconds: Int32 = 5_000, cacheKibibytes: Int = 8_192,
            pageSize: Int = 4_096
        ) {
            self.access = access
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
            self.cacheKibibytes = cacheKibibytes
            self.pageSize = pageSize
        }
    }

    /// The path the database was opened with; `:memory:` for one in memory.
    public let path: String

    let connection: OpaquePointer
    private var cache = StatementCache()

    /// Bytes of pages that one statement may keep in memory, to be able to undo itself. From there on SQLite writes them
    /// to a temporary file, and its 64 KiB are less than a row with many indexes and a search index comes to: half of all
    /// system calls of a recorded track were for that file. Not 128 KiB or more: SQLite writes what it has kept in one
    /// piece when it goes over to the file, and its Unix layer takes a length of more than 17 bits for a full disk.
    private static let statementJournalBytes: Int32 = 120 << 10
    /// For the whole process, and before its first connection.
    private static let configuration: Int32 = csqlite_config_statement_journal_spill(statementJournalBytes)

    /// Opens a database file, with foreign keys checked, and write-ahead logging where it may be written.
    ///
    /// With write-ahead logging a killed process loses no committed transaction; a power cut may lose the
    /// last ones (`synchronous = NORMAL`) but never leaves the file inconsistent.
    /// - Throws: `cannotOpen`, `permission`, `notADatabase`, `corrupt`, `busy`. A file that is not a healthy
    ///   database is left as it is.
    public convenience init(path: String, options: Options = Options()) throws(DatabaseError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw DatabaseError(.cannotOpen, message: "not a file name", path: path)
        }
        // SQLite reads names like "file:x" and ":memory:" in its own way; a path with a slash is only a path.
        try self.init(name: path.hasPrefix("/") ? path : "./" + path, path: path, options: options)
    }

    /// Opens an empty database in memory, gone when the connection closes.
    public static func inMemory() throws(DatabaseError) -> Database {
        try Database(name: ":memory:", path: ":memory:", options: Options())
    }

    private init(name: String, path: String, options: Options) throws(DatabaseError) {
        let access =
            switch options.access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        // Where it is too late, SQLite's own number holds, which only costs time.
        _ = Self.configuration
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(name, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard status == SQLITE_OK, let opened else {
            let error = databaseError(connection: opened, status: status, path: path)
            sqlite3_close_v2(opened)
            throw error
        }
        connection = opened
        self.path = path
        sqlite3_busy_timeout(opened, options.busyTimeoutMilliseconds)
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA cache_size = \(-options.cacheKibibytes)")
        // Reading the version touches the file's header, so that a file that is no database is found out here.
        _ = try userVersion
        if options.access != .readOnly {
            // Before the journal mode: a file in write-ahead mode cannot change its page size any more.
            try execute("PRAGMA page_size = \(options.pageSize)")
            // A file system without shared memory answers with another mode, which works as well.
            try execute("PRAGMA journal_mode = WAL")
            try execute("PRAGMA synchronous = NORMAL")
            // Debian's SQLite overwrites deleted content with zeros, which doubles the writing and hides
            // nothing that the music files themselves do not show.
            try execute("PRAGMA secure_delete = OFF")
        }
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(connection)
    }

    /// Moves the write-ahead log into the database file and empties it, as far as readers at work permit.
    /// - Throws: `DatabaseError` when the disk fails; not when readers keep part of the log.
    public func checkpoint() throws {
        try forEach("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    }

    /// How many rows the last INSERT, UPDATE or DELETE changed.
    public var changedRowCount: Int { Int(sqlite3_changes64(connection)) }

    /// The row id of the last INSERT.
    public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(connection) }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Whether this build of SQLite has full-text search (FTS5).
    public var hasFullTextSearch: Bool { sqlite3_compileoption_used("ENABLE_FTS5") != 0 }

    /// Runs one statement to its end; rows that it gives are dropped.
    /// - Parameters:
    ///   - sql: one statement, with a `?` for each argument.
    ///   - arguments: the values, in the order of the question marks.
    public func execute(_ sql: String, _ arguments: [(any DatabaseBindable)?] = []) throws(DatabaseError) {
        let statement = try lend(sql)
        defer { giveBack(statement) }
        try statement.bind(arguments)
        while try statement.step() {}
    }

    /// Runs a text of several statements without arguments, such as a schema.
    public func executeScript(_ sql: String) throws(DatabaseError) {
        let status = sqlite3_exec(connection, sql, nil, nil, nil)
        guard status == SQLITE_OK else {
            throw databaseError(connection: connection, status: status, sql: sql, path: path)
        }
    }

    /// Hands each row of a query to a closure, one at a time, so that memory does not grow with the result.
    /// - Throws: what the closure throws, which ends the query, or a ``DatabaseError``.
    public func forEach(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = [], _ body: (borrowing Row) throws -> Void
    ) throws {
        let statement = try lend(sql)
        defer { giveBack(statement) }
        try statement.bind(arguments)
        while try statement.step() {
            try body(Row(statement: statement))
        }
    }

    /// All rows of a query, each made into a value.
    /// - Throws: what the closure throws, or a ``DatabaseError``.
    public func fetchAll<Value>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = [],
        _ transform: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql, arguments) { values.append(try transform($0)) }
        return values
    }

    /// The first row of a query made into a value, or nil if there is none.
    /// - Throws: what the closure throws, or a ``DatabaseError``.
    public func fetchOne<Value>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = [],
        _ transform: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try lend(sql)
        defer { giveBack(statement) }
        try statement.bind(arguments)
        guard try statement.step() else { return nil }
        return try transform(Row(statement: statement))
    }

    /// The first column of the first row, or nil if there is no row or it is NULL.
    public func scalar<Value: DatabaseReadable>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = []
    ) throws(DatabaseError) -> Value? {
        let statement = try lend(sql)
        defer { giveBack(statement) }
        try statement.bind(arguments)
        guard try statement.step() else { return nil }
        return try Row(statement: statement)[0]
    }

    private func lend(_ sql: String) throws(DatabaseError) -> Statement {
        if let idle = cache.take(sql) { return idle }
        return try Statement(sql, connection: connection, path: path)
    }

    private func giveBack(_ statement: Statement) {
        statement.reset()
        cache.put(statement)
    }
}
