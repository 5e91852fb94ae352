internal import SQLiteDatabase

extension ListeningSchema {
    /// Recordings of radio stations. The files are known by their audio, so that they are found again under new names.
    static let recordings = Migration(
        "radio recordings",
        sql: """
            CREATE TABLE radio_recordings (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                station_name TEXT NOT NULL,
                title TEXT NOT NULL,
                recorded_at_ms INTEGER NOT NULL,
                duration_seconds REAL NOT NULL,
                audio_hash BLOB NOT NULL CHECK (length(audio_hash) = 16)
            ) STRICT;
            """)
}
