/// A schema migration: the changes from version `n - 1` to version `n` of a database.
package struct Migration: Sendable {
    /// Description of the changes.
    package let name: String
    let apply: @Sendable (Database) throws -> Void

    /// Creates a migration from SQL statements.
    package init(_ name: String, sql: String) {
        self.name = name
        apply = { try $0.executeScript(sql) }
    }

    /// Creates a migration from a closure.
    package init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.apply = apply
    }
}

extension Database {
    /// Schema version: `PRAGMA user_version`, 0 in a new file.
    package var userVersion: Int {
        get throws(DatabaseError) { try scalar("PRAGMA user_version") ?? 0 }
    }

    /// Brings the schema up to date: applies the missing migrations, each in its own transaction, so that a migration is
    /// applied completely or not at all.
    ///
    /// The version after migration `i` (from 0) is `i + 1`, so new migrations must be appended. Safe to call from several
    /// processes at the same time.
    /// - Parameters:
    ///   - migrations: all migrations, starting from an empty file.
    ///   - applicationID: a number that identifies this program's files (`PRAGMA application_id`).
    /// - Throws: `schemaTooNew` if the file has more migrations than given, `foreignDatabase` if it contains tables or an
    ///   application ID of another program; in both cases nothing is changed.
    package func migrate(_ migrations: [Migration], applicationID: Int32) throws {
        try requireOwnFile(applicationID)
        while try userVersion < migrations.count {
            try transaction(.immediate) {
                // Read again under the lock: another process may just have applied it.
                let version = try userVersion
                guard version < migrations.count else { return }
                try migrations[version].apply(self)
                try execute("PRAGMA application_id = \(applicationID)")
                try execute("PRAGMA user_version = \(version + 1)")
            }
        }
        try requireSchema(upTo: migrations.count)
    }

    /// Checks, without changing anything, that the schema is the expected one.
    /// - Throws: `schemaTooNew`, `foreignDatabase`, or `general` if migrations are missing.
    package func requireMigrated(_ migrations: [Migration], applicationID: Int32) throws(DatabaseError) {
        try requireOwnFile(applicationID)
        try requireSchema(upTo: migrations.count)
        guard try userVersion == migrations.count else {
            throw DatabaseError(
                .general, message: "the database has an older schema: open it for writing once", path: path
            )
        }
    }

    private func requireSchema(upTo known: Int) throws(DatabaseError) {
        let version = try userVersion
        guard version <= known else {
            throw DatabaseError(
                .schemaTooNew,
                message: "created by a newer version of this program (schema \(version), not \(known))",
                path: path)
        }
    }

    private func requireOwnFile(_ applicationID: Int32) throws(DatabaseError) {
        let found: Int = try scalar("PRAGMA application_id") ?? 0
        let tableCount: Int = try scalar("SELECT count(*) FROM sqlite_schema") ?? 0
        guard found == Int(applicationID) || (found == 0 && tableCount == 0) else {
            throw DatabaseError(
                .foreignDatabase, message: "the file is a database of another program", path: path)
        }
    }
}
