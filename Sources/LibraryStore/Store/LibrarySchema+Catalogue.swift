internal import Catalogue
internal import SQLiteDatabase

/// Sort keys and indexes for the catalogue's lists, and a revision number that shows whether
/// anything has changed.
extension LibrarySchema {
    /// Adds sort keys and indexes to a library that may already contain tracks.
    static func addCatalogueOrder(_ database: Database) throws {
        try database.executeScript(columns)
        try fillSortKeys(database)
        // After the rows have been updated, so that each index is built once.
        try database.executeScript(indexes)
    }

    private static let columns = """
        ALTER TABLE tracks ADD COLUMN title_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE tracks ADD COLUMN artist_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE tracks ADD COLUMN album_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE albums ADD COLUMN title_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE artists ADD COLUMN name_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE playlists ADD COLUMN name_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE playlists ADD COLUMN description TEXT;
        ALTER TABLE playlists ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

        CREATE TABLE library_state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch TEXT NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT;
        INSERT INTO library_state (id, epoch, revision) VALUES (1, lower(hex(randomblob(8))), 0);
        """

    /// Lists show available tracks; so the column for unavailable ones comes first in each index, followed by
    /// the sort order. Each index contains all columns needed to find a page, however far down. Duration and
    /// tempo are in another table: two indexes in the order of the hash are merged.
    private static let indexes = """
        CREATE INDEX tracks_ordered_by_title ON tracks (unavailable_since_ms, title_sort);
        CREATE INDEX tracks_ordered_by_artist
            ON tracks (unavailable_since_ms, artist_sort, album_sort, album_id, disc_number, track_number);
        CREATE INDEX tracks_ordered_by_album
            ON tracks (unavailable_since_ms, album_sort, album_id, disc_number, track_number);
        CREATE INDEX tracks_ordered_by_added ON tracks (unavailable_since_ms, added_at_ms);
        CREATE INDEX tracks_ordered_by_year ON tracks (unavailable_since_ms, year);
        CREATE INDEX tracks_ordered_by_hash ON tracks (unavailable_since_ms, audio_hash);
        CREATE INDEX analyses_sorted ON analyses (audio_hash, duration_seconds, bpm);
        CREATE INDEX tracks_of_album ON tracks (album_id, unavailable_since_ms, artist_id, year);
        DROP INDEX tracks_by_genre;
        CREATE INDEX tracks_by_genre ON tracks (genre COLLATE NOCASE);
        CREATE INDEX albums_ordered_by_title ON albums (title_sort);
        CREATE INDEX artists_ordered_by_name ON artists (name_sort);

        -- Entries are deleted with their track, which changes the playlist.
        CREATE TRIGGER playlists_lose_track BEFORE DELETE ON tracks BEGIN
            UPDATE playlists SET revision = revision + 1
            WHERE id IN (SELECT playlist_id FROM playlist_entries WHERE track_id = old.id);
        END;
        """

    private static func fillSortKeys(_ database: Database) throws {
        struct Track {
            var id: Int
            var title: String
            var artist: String
            var album: String
        }
        var last = Int.min
        while true {
            // In batches, so that no row is written which a running query may still reach.
            let tracks = try database.fetchAll(
                """
                SELECT id, title, artist, album_artist, album, relative_path, path_bytes FROM tracks
                WHERE id > ? ORDER BY id LIMIT 1000
                """, [last]
            ) { row in
                let path = try TrackRow.path(row)
                let artist: String? = try row["artist"] ?? row["album_artist"]
                return Track(
                    id: try row["id"], title: SortKey.key(title: try row["title"], path: path),
                    artist: SortKey.key(artist), album: SortKey.key(try row["album"]))
            }
            guard let end = tracks.last?.id else { break }
            for track in tracks {
                try database.execute(
                    "UPDATE tracks SET title_sort = ?, artist_sort = ?, album_sort = ? WHERE id = ?",
                    [track.title, track.artist, track.album, track.id])
            }
            last = end
        }
        for (table, name, key) in [
            ("albums", "title", "title_sort"), ("artists", "name", "name_sort"),
            ("playlists", "name", "name_sort"),
        ] {
            let rows = try database.fetchAll("SELECT id, \(name) FROM \(table)") { row -> (Int, String) in
                (try row["id"], SortKey.key(try row[name]))
            }
            for row in rows {
                try database.execute("UPDATE \(table) SET \(key) = ? WHERE id = ?", [row.1, row.0])
            }
        }
    }
}
