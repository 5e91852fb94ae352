internal import CSQLite
internal import FileSystem
internal import Glibc

/// One connection to an SQLite database file.
///
/// Not thread-safe: threads share connections through ``DatabaseQueue`` and ``DatabasePool``. Calls block during disk access.
/// The connection is closed with its last reference.
package final class Database {
    /// Options for opening a file.
    package struct Options: Sendable {
        /// Access modes.
        package enum Access: Sendable {
            /// Read only; the file must exist.
            case readOnly
            /// Read and write; the file must exist.
            case readWrite
            /// Read and write; the file is created if it does not exist.
            case create
        }

        /// Access mode.
        package var access: Access
        /// Time to wait for another connection's lock before `busy` is thrown, in milliseconds.
        package var busyTimeoutMilliseconds: Int32
        /// Size of the page cache in KiB.
        package var cacheKibibytes: Int
        /// Page size of a new file in bytes: a power of two from 512 to 65,536. Large pages suit large blobs. An existing file
        /// keeps its page size.
        package var pageSize: Int

        /// Memberwise initializer.
        package init(
            access: Access = .create, busyTimeoutMilliseconds: Int32 = 5_000, cacheKibibytes: Int = 8_192,
            pageSize: Int = 4_096
        ) {
            self.access = access
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
            self.cacheKibibytes = cacheKibibytes
            self.pageSize = pageSize
        }
    }

    /// Path the database was opened with; `:memory:` for an in-memory database.
    package let path: String

    let connection: OpaquePointer
    private var cache = StatementCache()

    /// Maximum size of a statement journal in memory, in bytes. Beyond that SQLite writes it to a temporary file. Its default
    /// of 64 KiB is less than a row with many indexes and a search index needs: half of all system calls for recording a track
    /// were for that file. It must be less than 128 KiB: SQLite writes the journal in one piece when it switches to the file,
    /// and its Unix layer treats a length of more than 17 bits as a full disk.
    private static let statementJournalBytes: Int32 = 120 << 10
    /// Applies to the whole process; must be set before its first connection.
    private static let configuration: Int32 = csqlite_config_statement_journal_spill(statementJournalBytes)

    /// Opens a database file with foreign keys enabled, and with write-ahead logging if it is writable.
    ///
    /// With write-ahead logging a killed process loses no committed transaction; a power failure may lose the last ones
    /// (`synchronous = NORMAL`) but never leaves the file inconsistent.
    /// - Throws: `cannotOpen`, `permission`, `notADatabase`, `corrupt`, `busy`. A file that is not an intact database is not
    ///   modified.
    package convenience init(path: String, options: Options = Options()) throws(DatabaseError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw DatabaseError(.cannotOpen, message: "invalid file name", path: path)
        }
        // SQLite interprets names like "file:x" and ":memory:"; a path with a slash is always a path.
        try self.init(name: path.hasPrefix("/") ? path : "./" + path, path: path, options: options)
    }

    /// Opens a file that is not on this machine, to read it. It must not change while the connection is open.
    /// - Parameter path: its name in errors.
    /// - Throws: as for a local file; `inputOutput` if it cannot be read.
    package convenience init(reading file: any RemoteDatabaseFile, path: String) throws(DatabaseError) {
        let options = Options(access: .readOnly)
        self.init(
            try RemoteFileSystem.offering(file) { name throws(DatabaseError) in
                try Self.connect(name, path: path, options, fileSystem: RemoteFileSystem.name)
            }, path: path)
        try setUp(options)
    }

    /// Opens an empty in-memory database, which is discarded when the connection closes.
    package static func inMemory() throws(DatabaseError) -> Database {
        try Database(name: ":memory:", path: ":memory:", options: Options())
    }

    private convenience init(name: String, path: String, options: Options) throws(DatabaseError) {
        self.init(try Self.connect(name, path: path, options), path: path)
        try setUp(options)
    }

    private init(_ connection: OpaquePointer, path: String) {
        self.connection = connection
        self.path = path
    }

    /// Opens a connection.
    /// - Parameter fileSystem: the name of the file system for SQLite; nil for the system's.
    private static func connect(
        _ name: String, path: String, _ options: Options, fileSystem: String? = nil
    ) throws(DatabaseError) -> OpaquePointer {
        let access =
            switch options.access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        // If it is too late to configure, SQLite's default applies, which only costs time.
        _ = configuration
        // Create a new file with access for its owner only, whatever the umask; SQLite gives accompanying files the same
        // permissions. Do not open an existing file here: closing it would release SQLite's locks on it.
        if options.access == .create, path != ":memory:" {
            _ = try? FileDescriptor.open(name, for: .write, .createNew)
        }
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(
            name, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
        guard status == SQLITE_OK, let opened else {
            let error = databaseError(connection: opened, status: status, path: path)
            sqlite3_close_v2(opened)
            throw error
        }
        return opened
    }

    private func setUp(_ options: Options) throws(DatabaseError) {
        sqlite3_busy_timeout(connection, options.busyTimeoutMilliseconds)
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA cache_size = \(-options.cacheKibibytes)")
        // Reading the version accesses the file's header and so detects files that are not databases.
        _ = try userVersion
        if options.access != .readOnly {
            // Must precede the journal mode: a file in WAL mode cannot change its page size.
            try execute("PRAGMA page_size = \(options.pageSize)")
            // On a file system without shared memory SQLite reports another mode, which also works.
            try execute("PRAGMA journal_mode = WAL")
            try execute("PRAGMA synchronous = NORMAL")
            // Debian's SQLite overwrites deleted content with zeros, which doubles the writes and hides nothing that the music
            // files do not reveal anyway.
            try execute("PRAGMA secure_delete = OFF")
        }
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(connection)
    }

    /// Attaches another existing database file: its tables can be used as `name.table`.
    /// - Parameter cacheKibibytes: size of its page cache, which is apart from that of this file. Without a size, SQLite would take
    ///   2,000 KiB, whatever this file has.
    package func attach(
        _ path: String, as name: StaticString, cacheKibibytes: Int = Options().cacheKibibytes
    ) throws(DatabaseError) {
        // As for the file of the connection: a path with a slash is always a path.
        try execute("ATTACH ? AS \(name)", [path.hasPrefix("/") ? path : "./" + path])
        try execute("PRAGMA \(name).cache_size = \(-cacheKibibytes)")
    }

    /// Moves the write-ahead log into the database file and truncates it, as far as active readers permit.
    /// - Throws: `DatabaseError` on disk errors; not if readers keep part of the log.
    package func checkpoint() throws {
        try forEach("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    }

    /// Number of rows changed by the last INSERT, UPDATE or DELETE.
    package var changedRowCount: Int { Int(sqlite3_changes64(connection)) }

    /// Number of rows changed since the connection was opened.
    package var totalChangedRowCount: Int { Int(sqlite3_total_changes64(connection)) }

    /// Number of operations of SQLite's virtual machine in the statements that have ended: a measure of their work that does
    /// not depend on the machine. The work of full-text searches themselves is not counted.
    package private(set) var stepCount = 0

    /// Row ID of the last INSERT.
    package var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(connection) }

    /// Whether this connection cannot write to its file.
    package var isReadOnly: Bool { sqlite3_db_readonly(connection, "main") == 1 }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Whether this build of SQLite has full-text search (FTS5).
    package var hasFullTextSearch: Bool { sqlite3_compileoption_used("ENABLE_FTS5") != 0 }

    /// Runs one statement to completion; result rows are discarded.
    /// - Parameters:
    ///   - sql: one statement with a `?` for each argument.
    ///   - arguments: the values in the order of the placeholders.
    package func execute(_ sql: String, _ arguments: [(any DatabaseBindable)?] = []) throws(DatabaseError) {
        let statement = try lend(sql)
        defer { release(statement) }
        try statement.bind(arguments)
        while try statement.step() {}
    }

    /// Runs several statements without arguments, such as a schema.
    package func executeScript(_ sql: String) throws(DatabaseError) {
        let status = sqlite3_exec(connection, sql, nil, nil, nil)
        guard status == SQLITE_OK else {
            throw databaseError(connection: connection, status: status, sql: sql, path: path)
        }
    }

    /// Calls a closure with each row of a query, so that memory use does not depend on the size of the result.
    /// - Throws: errors of the closure, which end the query, or a ``DatabaseError``.
    package func forEach(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = [], _ body: (borrowing Row) throws -> Void
    ) throws {
        let statement = try lend(sql)
        defer { release(statement) }
        try statement.bind(arguments)
        while try statement.step() {
            try body(Row(statement: statement))
        }
    }

    /// Returns all rows of a query, each converted to a value.
    /// - Throws: errors of the closure, or a ``DatabaseError``.
    package func fetchAll<Value>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = [],
        _ transform: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try forEach(sql, arguments) { values.append(try transform($0)) }
        return values
    }

    /// Returns the first row of a query converted to a value, or nil without rows.
    /// - Throws: errors of the closure, or a ``DatabaseError``.
    package func fetchOne<Value>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = [],
        _ transform: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try lend(sql)
        defer { release(statement) }
        try statement.bind(arguments)
        guard try statement.step() else { return nil }
        return try transform(Row(statement: statement))
    }

    /// Returns all values of a query with one column.
    /// - Throws: `misuse` if it has more columns, `typeMismatch` for NULL and for a value of another type.
    package func values<Value: DatabaseReadable>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = []
    ) throws(DatabaseError) -> [Value] {
        let statement = try lend(sql)
        defer { release(statement) }
        try statement.requireOneColumn()
        try statement.bind(arguments)
        var values: [Value] = []
        while try statement.step() { values.append(try Row(statement: statement).required(at: 0)) }
        return values
    }

    /// Returns the value in the first row of a query with one column, or nil if there is no row or it is NULL.
    /// - Throws: `misuse` if it has more columns, `typeMismatch` for a value of another type.
    package func scalar<Value: DatabaseReadable>(
        _ sql: String, _ arguments: [(any DatabaseBindable)?] = []
    ) throws(DatabaseError) -> Value? {
        let statement = try lend(sql)
        defer { release(statement) }
        try statement.requireOneColumn()
        try statement.bind(arguments)
        guard try statement.step() else { return nil }
        return try Row(statement: statement).optional(at: 0)
    }

    private func lend(_ sql: String) throws(DatabaseError) -> Statement {
        if let idle = cache.take(sql) { return idle }
        return try Statement(sql, connection: connection, path: path)
    }

    private func release(_ statement: Statement) {
        stepCount += statement.takeStepCount()
        statement.reset()
        cache.put(statement)
    }
}
