/// The log of changed rows, from which another host keeps its copy of the library up to date.
///
/// Unlike `catalogue_changes`, which lists what clients show, it covers every column. Triggers write it, so that no writer can
/// forget it. A state is identified as in `catalogue_changes`: by the number of the last row and its random mark.
extension LibrarySchema {
    /// Number of changes to keep. A host that is further behind copies the whole library.
    static let keptRowChanges = 1 << 16

    /// The tables whose changes are logged, and their names in the log. Their `id` identifies a row.
    static let loggedTables = [
        (table: "artists", kind: "artist"), (table: "albums", kind: "album"),
        (table: "analyses", kind: "analysis"), (table: "tracks", kind: "track"),
        (table: "playlists", kind: "playlist"),
    ]

    static let rowChanges = """
        CREATE TABLE row_changes (
            number INTEGER PRIMARY KEY,
            mark INTEGER NOT NULL DEFAULT (random() >> 32),
            kind TEXT,
            row INTEGER
        ) STRICT;
        INSERT INTO row_changes DEFAULT VALUES;
        -- Now and then, since each change adds a row. Never deletes the newest row: the next row gets the number after it.
        CREATE TRIGGER row_changes_forget AFTER INSERT ON row_changes WHEN new.number % 1024 = 0 BEGIN
            DELETE FROM row_changes WHERE number <= new.number - \(keptRowChanges);
        END;
        \(rowChangeTriggers())
        """

    /// Statements that create the triggers that write the log.
    /// - Parameters:
    ///   - replaced: whether to drop existing ones.
    ///   - condition: SQL of a trigger for the insertion of a track; nil for no condition.
    static func rowChangeTriggers(replaced: Bool = false, insertingTrack condition: String? = nil) -> String {
        let details = "(SELECT id FROM analyses WHERE audio_hash = row.audio_hash)"
        let logged =
            loggedTables.map { (table: $0.table, kind: $0.kind, id: "row.id") } + [
                (table: "analysis_details", kind: "analysis", id: details),
                (table: "playlist_entries", kind: "playlist", id: "row.playlist_id"),
                (table: "smart_playlists", kind: "playlist", id: "row.playlist_id"),
            ]
        return logged.map { logged in
            [("insert", "new."), ("update", "new."), ("delete", "old.")].map { event, row in
                let name = "row_changes_\(logged.table)_\(event)"
                let id = logged.id.replacing("row.", with: row)
                let conditions = [
                    // Details are deleted with their analysis, which is logged.
                    logged.id == details && event == "delete" ? "\(id) IS NOT NULL" : nil,
                    logged.table == "tracks" && event == "insert" ? condition : nil,
                ].compactMap { $0 }
                // VALUES, because SQLite stores the results of a query in a temporary table first: the log has a trigger.
                return """
                    \(replaced ? "DROP TRIGGER \(name);" : "")
                    CREATE TRIGGER \(name) AFTER \(event.uppercased()) ON \(logged.table)
                    \(conditions.first.map { "WHEN \($0)" } ?? "") BEGIN
                        INSERT INTO row_changes (kind, row) VALUES ('\(logged.kind)', \(id));
                    END;
                    """
            }.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
