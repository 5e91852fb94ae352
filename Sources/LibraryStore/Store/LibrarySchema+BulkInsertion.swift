internal import SQLiteDatabase

/// Triggers that do nothing while a transaction inserts many tracks: after each track they would write the row of its album again, and
/// flush the search index. ``BulkInsertion`` does the same for all tracks at once.
extension LibrarySchema {
    /// Replaces the triggers that follow the insertion of a track.
    static let bulkInsertion = """
        ALTER TABLE library_state ADD COLUMN inserts_in_bulk INTEGER NOT NULL DEFAULT 0;
        DROP TRIGGER tracks_fts_insert;
        CREATE TRIGGER tracks_fts_insert AFTER INSERT ON tracks WHEN \(isSingle) BEGIN
            INSERT INTO tracks_fts (rowid, \(searchedColumns)) VALUES (new.id, \(newSearchedColumns));
        END;
        DROP TRIGGER changes_track_insert;
        CREATE TRIGGER changes_track_insert AFTER INSERT ON tracks WHEN \(isSingle) BEGIN
            INSERT INTO catalogue_changes (track_id) VALUES (new.id);
        END;
        \(rowChangeTriggers(replaced: true, insertingTrack: isSingle))
        DROP TRIGGER lists_track_insert;
        CREATE TRIGGER lists_track_insert AFTER INSERT ON tracks WHEN new.duration_sort IS NULL BEGIN
            \(sortedValues)
        END;
        DROP TRIGGER lists_track_added;
        CREATE TRIGGER lists_track_added AFTER INSERT ON tracks WHEN new.unavailable_since_ms IS NULL AND \(isSingle) BEGIN
            \(addedTrack)
        END;
        """

    private static let isSingle = "(SELECT inserts_in_bulk FROM library_state) = 0"

    private static let searchedColumns = "title, artist, album, album_artist, composer, genre, relative_path"
    private static let newSearchedColumns =
        "new.title, new.artist, new.album, new.album_artist, new.composer, new.genre, new.relative_path"

    /// Statements that do for all tracks with an id above the argument what triggers do for each. Without `NOT INDEXED`, SQLite would read
    /// all tracks in the order by which they are grouped.
    static let insertedTracks = [
        "INSERT INTO tracks_fts (rowid, \(searchedColumns)) SELECT id, \(searchedColumns) FROM tracks NOT INDEXED WHERE id > ?",
        "INSERT INTO catalogue_changes (track_id) SELECT id FROM tracks NOT INDEXED WHERE id > ?",
        "INSERT INTO row_changes (kind, row) SELECT 'track', id FROM tracks NOT INDEXED WHERE id > ?",
        """
        UPDATE albums SET
            shown_artist_id = CASE
                WHEN artist_id IS NOT NULL THEN artist_id
                WHEN track_count = 0 OR shown_artist_id IS added.artist THEN added.artist END,
            first_year = CASE WHEN first_year IS NULL OR added.year < first_year THEN added.year ELSE first_year END,
            track_count = track_count + added.number
        FROM (
            SELECT album_id, count(*) AS number, min(year) AS year,
                CASE WHEN min(coalesce(artist_id, 0)) = max(coalesce(artist_id, 0)) THEN min(artist_id) END AS artist
            FROM tracks NOT INDEXED WHERE id > ? AND unavailable_since_ms IS NULL GROUP BY album_id
        ) AS added
        WHERE albums.id = added.album_id
        """,
        """
        UPDATE artists SET track_count = track_count + added.number
        FROM (
            SELECT artist_id, count(*) AS number FROM tracks NOT INDEXED
            WHERE id > ? AND unavailable_since_ms IS NULL GROUP BY artist_id
        ) AS added
        WHERE artists.id = added.artist_id
        """,
        """
        INSERT INTO album_genres (genre, album_id, track_count)
        SELECT min(genre), coalesce(album_id, 0), count(*) FROM tracks NOT INDEXED
        WHERE id > ? AND unavailable_since_ms IS NULL AND genre <> ''
        GROUP BY genre COLLATE NOCASE, coalesce(album_id, 0)
        ON CONFLICT (genre, album_id) DO UPDATE SET track_count = track_count + excluded.track_count
        """,
        """
        INSERT INTO album_credits (album_id, album, artist, album_artist, track_count)
        SELECT album_id, coalesce(album, ''), coalesce(artist, ''), coalesce(album_artist, ''), count(*) FROM tracks NOT INDEXED
        WHERE id > ? AND unavailable_since_ms IS NULL AND album_id IS NOT NULL
        GROUP BY 1, 2, 3, 4
        ON CONFLICT (album_id, artist, album_artist, album) DO UPDATE SET track_count = track_count + excluded.track_count
        """,
    ]
}
