package import SQLiteDatabase

/// The listening data that several hosts share, in a database that all of them reach.
///
/// It is the original. `listening.sqlite` of each host is a copy, from which the host reads: together with its library, and also
/// while the shared database cannot be reached. A host changes its copy by repeating what the shared database has confirmed.
package protocol SharedListening: Sendable {
    /// Where it is, for messages; without a password.
    var place: String { get }

    /// Runs a closure during which no other host changes anything.
    ///
    /// Changes that the closure has committed are durable when the call returns, and nothing else remains. Concurrent calls wait for each other.
    /// - Throws: errors of the closure; ``SharedListeningError``.
    func write<Value>(_ body: (any SharedTransaction) throws -> Value) throws -> Value

    /// Runs a closure that reads one state, while other hosts go on.
    /// - Throws: as ``write(_:)``.
    func read<Value>(_ body: (any SharedTransaction) throws -> Value) throws -> Value

    /// Waits until another host may have changed something, at most for a time.
    /// - Throws: ``SharedListeningError``.
    func waitForChange(seconds: Double) throws
}

/// Access to the shared listening data in one state.
package protocol SharedTransaction {
    /// The state; nil where no host has stored anything yet.
    var state: SharedState? { get }

    /// Whether a change is one of those that led to this state, as far as they are remembered.
    func has(revision: Int, mark: String) throws -> Bool

    /// Calls a closure with the rows of a table, each with its values in the order of the columns.
    /// - Parameter revision: only rows that have changed after this revision; nil for all rows.
    func forEachRow(
        of table: SharedTable, since revision: Int?, _ body: ([DatabaseValue]) throws -> Void) throws

    /// Calls a closure with the key of each row of a table that was deleted after a revision. The row may exist again.
    func forEachDeletedRow(
        of table: SharedTable, since revision: Int, _ body: ([DatabaseValue]) throws -> Void) throws

    /// Stores changes and the state after them, and ends the transaction.
    func commit(_ changes: [SharedChange], _ state: SharedState) throws

    /// Replaces everything by new tables and their rows, and ends the transaction.
    /// - Parameter rows: calls a closure with each row of a table.
    func commitAll(
        _ tables: [SharedTable], _ state: SharedState,
        rows: (SharedTable, ([DatabaseValue]) throws -> Void) throws -> Void) throws
}

/// Identifies a state of the shared listening data.
package struct SharedState: Sendable, Equatable {
    /// Random identity of the data.
    package var epoch: String
    /// Number of changes so far.
    package var revision: Int
    /// Random identity of the last change.
    package var mark: String
    /// The first revision from which all later changes are known: deleted rows are forgotten some time.
    package var completeSince: Int
    /// The version of the tables: the number of migrations of `listening.sqlite`.
    package var schemaVersion: Int
    /// The last id that was given in each table that never gives one again.
    package var lastIDs: [String: Int]
    /// The revision of the last change of each table, also of a deletion.
    package var tableRevisions: [String: Int]

    /// Memberwise initializer.
    package init(
        epoch: String, revision: Int, mark: String, completeSince: Int, schemaVersion: Int,
        lastIDs: [String: Int],
        tableRevisions: [String: Int]
    ) {
        self.epoch = epoch
        self.revision = revision
        self.mark = mark
        self.completeSince = completeSince
        self.schemaVersion = schemaVersion
        self.lastIDs = lastIDs
        self.tableRevisions = tableRevisions
    }
}

/// A table of the listening data.
package struct SharedTable: Sendable, Hashable {
    /// Types of values.
    package enum ValueType: String, Sendable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case blob = "BLOB"
    }

    /// A column.
    package struct Column: Sendable, Hashable {
        /// Its name.
        package let name: String
        /// Type of its values; each may also be NULL.
        package let type: ValueType
    }

    /// The table's name.
    package let name: String
    /// All columns.
    package let columns: [Column]
    /// The columns of the primary key, in its order.
    package let key: [Column]

    /// The columns' names, quoted for SQL.
    package var columnNames: [String] { columns.map { Database.quoted($0.name) } }
    /// The names of the columns of the primary key, quoted for SQL.
    package var keyNames: [String] { key.map { Database.quoted($0.name) } }
    /// The columns' names, separated by commas.
    package var columnList: String { columnNames.joined(separator: ", ") }
    /// The names of the columns of the primary key, separated by commas.
    package var keyList: String { keyNames.joined(separator: ", ") }
}

/// Changes of a table's rows.
package struct SharedChange: Sendable {
    /// The table.
    package let table: SharedTable
    /// New and changed rows, each with its values in the order of the columns.
    package var rows: [[DatabaseValue]] = []
    /// The keys of deleted rows.
    package var deletedKeys: [[DatabaseValue]] = []
}

/// Why the shared listening data cannot be used.
package struct SharedListeningError: Error, Sendable, CustomStringConvertible {
    /// Whether it cannot be reached now: nothing was changed as far as known, and the same may be tried again.
    package let isAway: Bool
    /// A readable explanation.
    package let description: String

    /// Memberwise initializer.
    package init(isAway: Bool, _ description: String) {
        self.isAway = isAway
        self.description = description
    }
}
