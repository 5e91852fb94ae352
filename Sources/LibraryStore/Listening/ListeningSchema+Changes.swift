internal import SQLiteDatabase

extension ListeningSchema {
    /// Number of changes to keep.
    static let keptChanges = 1 << 14

    /// The log of changes to the listening data of tracks, so that a copy of it only needs those since its state. It is written
    /// by triggers, so that no writer can forget it. Only the newest are kept; their numbers have no gaps.
    static let changes = Migration(
        "listened changes",
        sql: """
            CREATE TABLE listened_changes (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                listened_id INTEGER NOT NULL
            ) STRICT;
            CREATE TRIGGER listened_changes_insert AFTER INSERT ON listened WHEN new.kind = 'track' BEGIN
                \(note("new"))
            END;
            CREATE TRIGGER listened_changes_update AFTER UPDATE ON listened WHEN new.kind = 'track' BEGIN
                \(note("new"))
            END;
            CREATE TRIGGER listened_changes_delete AFTER DELETE ON listened WHEN old.kind = 'track' BEGIN
                \(note("old"))
            END;
            """)

    private static func note(_ row: String) -> String {
        """
        INSERT INTO listened_changes (listened_id) VALUES (\(row).id);
        DELETE FROM listened_changes
        WHERE number <= (SELECT max(number) FROM listened_changes) - \(keptChanges);
        """
    }
}
