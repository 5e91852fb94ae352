/// One step of a schema: what changes between version `n - 1` and version `n` of a database.
public struct Migration: Sendable {
    /// What to do, in the words of a person.
    public let name: String
    let apply: @Sendable (Database) throws -> Void

    /// A step that is a text of SQL statements.
    public init(_ name: String, sql: String) {
        self.name = name
        apply = { try $0.executeScript(sql) }
    }

    /// A step in code.
    public init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.apply = apply
    }
}

extension Database {
    /// The schema's version: `PRAGMA user_version`, 0 in a new file.
    public var userVersion: Int {
        get throws(DatabaseError) { try scalar("PRAGMA user_version") ?? 0 }
    }

    /// Brings the schema up to date: applies the steps that the file does not have yet, each in a
    /// transaction of its own, so that a step is there wholly or not at all.
    ///
    /// The version after step `i` (from 0) is `i + 1`; so steps are only ever added at the end. Safe when
    /// several processes do it at the same time.
    /// - Parameters:
    ///   - migrations: all steps since the empty file.
    ///   - applicationID: a number that marks the file as this program's (`PRAGMA application_id`).
    /// - Throws: `schemaTooNew` if the file has more steps than are given, `foreignDatabase` if the file
    ///   holds tables or an application id of another program; nothing is changed then.
    public func migrate(_ migrations: [Migration], applicationID: Int32) throws {
        try requireOwnFile(applicationID)
        while try userVersion < migrations.count {
            try transaction(.immediate) {
                // Read again under the lock: another process may just have done this step.
                let version = try userVersion
                guard version < migrations.count else { return }
                try migrations[version].apply(self)
                try execute("PRAGMA application_id = \(applicationID)")
                try execute("PRAGMA user_version = \(version + 1)")
            }
        }
        try requireSchema(upTo: migrations.count)
    }

    /// Checks, without changing anything, that the schema is the one this program reads.
    /// - Throws: `schemaTooNew`, `foreignDatabase`, or `general` if steps are missing.
    public func requireMigrated(_ migrations: [Migration], applicationID: Int32) throws(DatabaseError) {
        try requireOwnFile(applicationID)
        try requireSchema(upTo: migrations.count)
        guard try userVersion == migrations.count else {
            throw DatabaseError(
                .general, message: "the database is of an older version: open it for writing once", path: path
            )
        }
    }

    private func requireSchema(upTo known: Int) throws(DatabaseError) {
        let version = try userVersion
        guard version <= known else {
            throw DatabaseError(
                .schemaTooNew,
                message: "made by a newer version of this program (schema \(version), known up to \(known))",
                path: path)
        }
    }

    private func requireOwnFile(_ applicationID: Int32) throws(DatabaseError) {
        let found: Int = try scalar("PRAGMA application_id") ?? 0
        let tableCount: Int = try scalar("SELECT count(*) FROM sqlite_schema") ?? 0
        guard found == Int(applicationID) || (found == 0 && tableCount == 0) else {
            throw DatabaseError(
                .foreignDatabase, message: "this is a database of another program", path: path)
        }
    }
}
