internal import MusicShared
internal import SQLiteDatabase

extension ListeningSchema {
    /// Accounts, each with its own listening data. What exists belongs to the first account, which the host's API key opens.
    ///
    /// Tables are copied, since their unique keys change. Children go first: dropping a table deletes its rows, and with
    /// them the rows that refer to it.
    static let accounts = Migration("accounts") { database in
        try database.executeScript(accountTable)
        try database.execute(
            """
            INSERT INTO accounts (id, name, name_key, role, created_at_ms)
            VALUES (?, 'owner', 'owner', ?, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
            """, [Account.mainID, AccountRole.owner.rawValue])
        try database.executeScript(ownedListening)
        try database.executeScript(ownedQueues)
    }

    private static let accountTable = """
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            -- Lower case, so that names that differ in case only are the same.
            name_key TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL,
            email TEXT,
            created_at_ms INTEGER NOT NULL
        ) STRICT;
        """

    private static let ownedListening = """
        CREATE TABLE own_listened (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
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
            UNIQUE (kind, audio_hash, place, account_id)
        ) STRICT;
        INSERT INTO own_listened
        SELECT id, 1, kind, audio_hash, place, title, artist, album, is_starred, starred_at_ms, starred_by,
            rating, rated_at_ms, rated_by, play_count, last_played_at_ms FROM listened;

        CREATE TABLE own_members (
            listened_id INTEGER NOT NULL REFERENCES own_listened ON DELETE CASCADE,
            audio_hash BLOB NOT NULL,
            PRIMARY KEY (listened_id, audio_hash)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO own_members SELECT listened_id, audio_hash FROM listened_members;

        CREATE TABLE own_plays (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
            listened_id INTEGER NOT NULL REFERENCES own_listened ON DELETE CASCADE,
            played_at_ms INTEGER NOT NULL,
            seconds_played REAL,
            client TEXT,
            UNIQUE (listened_id, played_at_ms)
        ) STRICT;
        INSERT INTO own_plays
        SELECT id, 1, listened_id, played_at_ms, seconds_played, client FROM plays;

        CREATE TABLE own_actions (
            account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
            action_id TEXT NOT NULL,
            received_at_ms INTEGER NOT NULL,
            PRIMARY KEY (account_id, action_id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO own_actions SELECT 1, action_id, received_at_ms FROM done_actions;

        -- Ids of deleted rows are not used again.
        DELETE FROM sqlite_sequence WHERE name IN ('own_listened', 'own_plays');
        INSERT INTO sqlite_sequence (name, seq)
        SELECT 'own_' || name, seq FROM sqlite_sequence WHERE name IN ('listened', 'plays');
        DROP TABLE plays;
        DROP TABLE listened_members;
        DROP TABLE listened;
        DROP TABLE done_actions;
        ALTER TABLE own_listened RENAME TO listened;
        ALTER TABLE own_members RENAME TO listened_members;
        ALTER TABLE own_plays RENAME TO plays;
        ALTER TABLE own_actions RENAME TO done_actions;
        CREATE INDEX listened_by_place ON listened (account_id, kind, place);
        CREATE INDEX listened_starred ON listened (account_id, kind, starred_at_ms) WHERE is_starred;
        CREATE INDEX listened_rated
            ON listened (account_id, kind, rating, rated_at_ms) WHERE rating IS NOT NULL;
        CREATE INDEX listened_most
            ON listened (account_id, kind, play_count, last_played_at_ms) WHERE play_count > 0;
        CREATE INDEX listened_last
            ON listened (account_id, kind, last_played_at_ms) WHERE last_played_at_ms IS NOT NULL;
        CREATE INDEX plays_by_time ON plays (account_id, played_at_ms, id);
        """

    /// Until now an account was known by its name here. The one that was used last becomes the first account's.
    private static let ownedQueues = """
        CREATE TABLE own_queues (
            account_id INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
            current_index INTEGER,
            position_ms INTEGER NOT NULL,
            changed_at_ms INTEGER NOT NULL,
            changed_by TEXT NOT NULL
        ) STRICT;
        INSERT INTO own_queues
        SELECT 1, current_index, position_ms, changed_at_ms, changed_by FROM play_queues
        ORDER BY changed_at_ms DESC LIMIT 1;

        CREATE TABLE own_queue_entries (
            account_id INTEGER NOT NULL REFERENCES own_queues ON DELETE CASCADE,
            number INTEGER NOT NULL,
            audio_hash BLOB NOT NULL CHECK (length(audio_hash) = 16),
            place TEXT NOT NULL,
            PRIMARY KEY (account_id, number)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO own_queue_entries
        SELECT 1, number, audio_hash, place FROM play_queue_entries
        WHERE account = (SELECT account FROM play_queues ORDER BY changed_at_ms DESC LIMIT 1);

        CREATE TABLE own_bookmarks (
            account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
            audio_hash BLOB NOT NULL CHECK (length(audio_hash) = 16),
            place TEXT NOT NULL,
            position_ms INTEGER NOT NULL,
            comment TEXT,
            created_at_ms INTEGER NOT NULL,
            changed_at_ms INTEGER NOT NULL,
            PRIMARY KEY (account_id, audio_hash, place)
        ) STRICT, WITHOUT ROWID;
        INSERT OR REPLACE INTO own_bookmarks
        SELECT 1, audio_hash, place, position_ms, comment, created_at_ms, changed_at_ms FROM bookmarks
        ORDER BY changed_at_ms;

        DROP TABLE play_queue_entries;
        DROP TABLE play_queues;
        DROP TABLE bookmarks;
        ALTER TABLE own_queues RENAME TO play_queues;
        ALTER TABLE own_queue_entries RENAME TO play_queue_entries;
        ALTER TABLE own_bookmarks RENAME TO bookmarks;
        """
}
