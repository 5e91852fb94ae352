internal import SQLiteDatabase

/// The tables of `listening.sqlite`: user data that cannot be recomputed.
///
/// Times are milliseconds since 1970. Table names differ from those of the library, which readers attach.
enum ListeningSchema {
    /// "KaLs": marks the file as this program's.
    static let applicationID: Int32 = 0x4B61_4C73

    static let migrations = [
        Migration("listening", sql: listening), queues, accounts, changes, recordings,
        sharing, playlists,
    ]

    private static let listening = """
        -- Items that can be starred, rated and played. A track is identified by its audio and, for duplicates, its
        -- path; an album by its album key, an artist by the name. The last known texts are kept for items that are gone.
        CREATE TABLE listened (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL CHECK (kind IN ('track', 'album', 'artist')),
            audio_hash BLOB NOT NULL CHECK (length(audio_hash) IN (0, 16)),
            place TEXT NOT NULL,
            title TEXT,
            artist TEXT,
            album TEXT,
            is_starred INTEGER NOT NULL DEFAULT 0,
            starred_at_ms INTEGER,
            starred_by TEXT NOT NULL DEFAULT '',
            rating INTEGER CHECK (rating BETWEEN 1 AND 5),
            rated_at_ms INTEGER,
            rated_by TEXT NOT NULL DEFAULT '',
            play_count INTEGER NOT NULL DEFAULT 0,
            last_played_at_ms INTEGER,
            UNIQUE (kind, audio_hash, place)
        ) STRICT;
        CREATE INDEX listened_by_place ON listened (kind, place);
        CREATE INDEX listened_starred ON listened (kind, starred_at_ms) WHERE is_starred;
        CREATE INDEX listened_rated ON listened (kind, rating, rated_at_ms) WHERE rating IS NOT NULL;
        CREATE INDEX listened_most ON listened (kind, play_count, last_played_at_ms) WHERE play_count > 0;
        CREATE INDEX listened_last ON listened (kind, last_played_at_ms) WHERE last_played_at_ms IS NOT NULL;

        -- Tracks of an album or an artist, used to find it again under a new name.
        CREATE TABLE listened_members (
            listened_id INTEGER NOT NULL REFERENCES listened ON DELETE CASCADE,
            audio_hash BLOB NOT NULL,
            PRIMARY KEY (listened_id, audio_hash)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE plays (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            listened_id INTEGER NOT NULL REFERENCES listened,
            played_at_ms INTEGER NOT NULL,
            seconds_played REAL,
            client TEXT,
            UNIQUE (listened_id, played_at_ms)
        ) STRICT;
        CREATE INDEX plays_by_time ON plays (played_at_ms, id);

        -- Ids that clients gave to actions that have been applied.
        CREATE TABLE done_actions (
            action_id TEXT PRIMARY KEY,
            received_at_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE listening_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch TEXT NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT;
        INSERT INTO listening_state (id, epoch, revision) VALUES (1, lower(hex(randomblob(8))), 0);
        """
}
