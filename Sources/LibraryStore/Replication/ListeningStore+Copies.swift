package import MusicShared
internal import SQLiteDatabase

/// Copies of the accounts and the listening data for another host.
extension ListeningStore {
    /// The log of changes, which triggers write on each host.
    private static let ownTable = "listened_changes"

    /// Identifies the state; changes with every write.
    package var state: String {
        get throws {
            try pool.read { try $0.scalar("SELECT epoch || '.' || revision FROM main.listening_state") ?? "" }
        }
    }

    /// Writes a consistent copy to a new file.
    package func writeCopy(to destination: String) throws {
        try Database.writeCopy(
            of: path, to: destination, leavingEmpty: CopyOmissions([:], rows: [Self.ownTable: "0"]))
    }

    /// Makes the accounts and the listening data equal to those of a copy, in one transaction.
    /// - Throws: `DatabaseError`, also for a copy with another version of the schema.
    package func apply(copy: String) throws { try Self.apply(copy: copy, to: pool) }

    /// Makes the accounts and the listening data in a database equal to those of a copy.
    static func apply(copy: String, to pool: DatabasePool) throws {
        try Database(path: copy, options: .init(access: .readOnly)).requireMigrated(
            ListeningSchema.migrations, applicationID: ListeningSchema.applicationID)
        try pool.write(raisingRevisionOf: "listening_state", attaching: (copy, "copy")) { database in
            let tables: [String] = try database.values(
                """
                SELECT name FROM pragma_table_list WHERE schema = 'copy' AND type = 'table'
                    AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> ? ORDER BY name
                """, [ownTable])
            try database.mirror(tables, from: "copy")
            // The transaction raises the revision by one.
            try database.execute("UPDATE main.listening_state SET revision = revision - 1")
        }
        PlayedTracks.forget()
    }

    /// Gives accounts of a copy the roles that they have now, without waiting for the rest of the other host's data.
    ///
    /// The revision stays: it says which copy this is, so that the rest is still copied.
    /// - Parameter roles: by account; unknown accounts are ignored.
    package func apply(roles: [Int: AccountRole]) throws {
        let changed = try accounts.filter { account in roles[account.id].map { $0 != account.role } ?? false }
        // Shared listening data contains the roles.
        guard !changed.isEmpty, sharing == nil else { return }
        try write { database in
            for account in changed {
                try database.execute(
                    "UPDATE accounts SET role = ? WHERE id = ?", [roles[account.id]?.rawValue, account.id])
            }
            try database.execute("UPDATE main.listening_state SET revision = revision - 1")
        }
    }
}
