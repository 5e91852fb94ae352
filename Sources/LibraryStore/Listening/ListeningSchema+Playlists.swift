internal import SQLiteDatabase

extension ListeningSchema {
    /// Playlists of hosts that share them. The libraries of these hosts have the same ones: see ``PlaylistExchange``.
    static let playlists = Migration(
        "shared playlists",
        sql: """
            CREATE TABLE shared_playlists (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                owner_id INTEGER NOT NULL,
                is_public INTEGER NOT NULL,
                name TEXT NOT NULL,
                description TEXT,
                rules TEXT,
                -- The revision of the playlist in libraries. The shared database has a column of that name in all tables.
                version INTEGER NOT NULL,
                created_at_ms INTEGER NOT NULL,
                changed_at_ms INTEGER NOT NULL
            ) STRICT;

            -- By audio and path, as in listened: the ids of tracks differ between libraries.
            CREATE TABLE shared_playlist_entries (
                playlist_id INTEGER NOT NULL REFERENCES shared_playlists ON DELETE CASCADE,
                position INTEGER NOT NULL,
                audio_hash BLOB NOT NULL,
                place TEXT NOT NULL,
                PRIMARY KEY (playlist_id, position)
            ) STRICT, WITHOUT ROWID;

            -- Has a row once a host has stored its playlists: until then, no row does not mean no playlist.
            CREATE TABLE shared_playlists_state (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                stored_at_ms INTEGER NOT NULL
            ) STRICT;
            """)
}
