internal import SQLiteDatabase

extension ListeningSchema {
    /// The mark of the last change of shared data that this copy has: after a database has lost changes, another change may have
    /// the same revision.
    static let sharing = Migration(
        "mark of shared data",
        sql: "ALTER TABLE listening_state ADD COLUMN shared_mark TEXT NOT NULL DEFAULT ''")
}
