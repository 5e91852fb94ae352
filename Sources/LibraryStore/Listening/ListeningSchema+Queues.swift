internal import SQLiteDatabase

extension ListeningSchema {
    /// The tables of what an account keeps between its apps: play queue, bookmarks, internet radio stations.
    ///
    /// Tracks are known by their audio and path, as in `listened`, so that they are found again in a library that was
    /// rebuilt.
    static let queues = Migration(
        "queues",
        sql: """
            CREATE TABLE play_queues (
                account TEXT PRIMARY KEY,
                current_index INTEGER,
                position_ms INTEGER NOT NULL,
                changed_at_ms INTEGER NOT NULL,
                changed_by TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE play_queue_entries (
                account TEXT NOT NULL REFERENCES play_queues ON DELETE CASCADE,
                number INTEGER NOT NULL,
                audio_hash BLOB NOT NULL CHECK (length(audio_hash) = 16),
                place TEXT NOT NULL,
                PRIMARY KEY (account, number)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE bookmarks (
                account TEXT NOT NULL,
                audio_hash BLOB NOT NULL CHECK (length(audio_hash) = 16),
                place TEXT NOT NULL,
                position_ms INTEGER NOT NULL,
                comment TEXT,
                created_at_ms INTEGER NOT NULL,
                changed_at_ms INTEGER NOT NULL,
                PRIMARY KEY (account, audio_hash, place)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE radio_stations (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL,
                stream_url TEXT NOT NULL,
                homepage_url TEXT
            ) STRICT;
            """)
}
