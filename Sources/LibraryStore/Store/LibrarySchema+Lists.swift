internal import SQLiteDatabase

/// Stores values that lists of a large library read instead of all rows: numbers of tracks and albums, the values that albums are sorted by,
/// and search indexes of albums and artists.
///
/// Triggers keep everything up to date, so that no writer can forget it. Only available tracks count.
extension LibrarySchema {
    static let lists = Migration("lists") { database in
        try database.executeScript(listColumns)
        try database.executeScript(listValues)
        // After the rows have been updated, so that each index is built once.
        try database.executeScript(listIndexes)
        try database.executeScript(listSearch)
        try database.executeScript(trackListTriggers)
        try database.executeScript(albumListTriggers)
    }

    private static let listColumns = """
        ALTER TABLE tracks ADD COLUMN duration_sort REAL;
        ALTER TABLE tracks ADD COLUMN bpm_sort REAL;
        ALTER TABLE albums ADD COLUMN track_count INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE albums ADD COLUMN first_year INTEGER;
        -- The album artist; if no tag specifies one, the artist that all tracks share.
        ALTER TABLE albums ADD COLUMN shown_artist_id INTEGER;
        ALTER TABLE albums ADD COLUMN artist_sort TEXT NOT NULL DEFAULT '';
        ALTER TABLE artists ADD COLUMN track_count INTEGER NOT NULL DEFAULT 0;
        -- Albums that show the artist.
        ALTER TABLE artists ADD COLUMN album_count INTEGER NOT NULL DEFAULT 0;

        -- The album 0 stands for tracks without an album.
        CREATE TABLE album_genres (
            genre TEXT NOT NULL COLLATE NOCASE,
            album_id INTEGER NOT NULL,
            track_count INTEGER NOT NULL,
            PRIMARY KEY (genre, album_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX album_genres_by_album ON album_genres (album_id);

        -- The names with which albums are searched: most albums have one row, compilations one for each artist.
        CREATE TABLE album_credits (
            id INTEGER PRIMARY KEY,
            album_id INTEGER NOT NULL,
            album TEXT NOT NULL,
            artist TEXT NOT NULL,
            album_artist TEXT NOT NULL,
            track_count INTEGER NOT NULL,
            UNIQUE (album_id, artist, album_artist, album)
        ) STRICT;
        """

    private static let listValues = """
        UPDATE tracks SET (duration_sort, bpm_sort) =
            (SELECT duration_seconds, bpm FROM analyses WHERE audio_hash = tracks.audio_hash);
        UPDATE albums SET \(albumValues("albums"));
        UPDATE albums SET artist_sort = coalesce((SELECT name_sort FROM artists WHERE id = shown_artist_id), '');
        UPDATE artists SET track_count = found.number
        FROM (SELECT artist_id, count(*) AS number FROM tracks WHERE unavailable_since_ms IS NULL GROUP BY artist_id) AS found
        WHERE artists.id = found.artist_id;
        UPDATE artists SET album_count = found.number
        FROM (SELECT shown_artist_id, count(*) AS number FROM albums WHERE track_count > 0 GROUP BY shown_artist_id) AS found
        WHERE artists.id = found.shown_artist_id;
        INSERT INTO album_genres (genre, album_id, track_count)
        SELECT min(genre), coalesce(album_id, 0), count(*) FROM tracks
        WHERE unavailable_since_ms IS NULL AND genre <> ''
        GROUP BY genre COLLATE NOCASE, coalesce(album_id, 0);
        INSERT INTO album_credits (album_id, album, artist, album_artist, track_count)
        SELECT album_id, coalesce(album, ''), coalesce(artist, ''), coalesce(album_artist, ''), count(*) FROM tracks
        WHERE unavailable_since_ms IS NULL AND album_id IS NOT NULL
        GROUP BY 1, 2, 3, 4;
        """

    /// Lists show available tracks: so the column for unavailable ones comes first, as in the other orders of tracks.
    private static let listIndexes = """
        DROP INDEX tracks_ordered_by_hash;
        DROP INDEX analyses_sorted;
        CREATE INDEX tracks_ordered_by_duration ON tracks (unavailable_since_ms, duration_sort);
        CREATE INDEX tracks_ordered_by_bpm ON tracks (unavailable_since_ms, bpm_sort);
        DROP INDEX albums_ordered_by_title;
        CREATE INDEX albums_listed_by_title ON albums (title_sort) WHERE track_count > 0;
        CREATE INDEX albums_listed_by_artist ON albums (artist_sort, title_sort) WHERE track_count > 0;
        CREATE INDEX albums_listed_by_year ON albums (first_year, title_sort) WHERE track_count > 0;
        CREATE INDEX albums_by_shown_artist ON albums (shown_artist_id, first_year, title_sort);
        DROP INDEX artists_ordered_by_name;
        CREATE INDEX artists_listed_by_name ON artists (name_sort) WHERE track_count + album_count > 0;
        """

    /// Starts of up to three letters have indexes of their own: else a search for one letter merges the lists of all words
    /// that start with it.
    private static let listSearch = """
        DROP TABLE tracks_fts;
        CREATE VIRTUAL TABLE tracks_fts USING fts5(
            title, artist, album, album_artist, composer, genre, relative_path,
            content = 'tracks', content_rowid = 'id', \(tokens)
        );
        INSERT INTO tracks_fts (tracks_fts) VALUES ('rebuild');
        CREATE VIRTUAL TABLE album_credits_fts USING fts5(
            album, artist, album_artist, content = 'album_credits', content_rowid = 'id', \(tokens)
        );
        INSERT INTO album_credits_fts (album_credits_fts) VALUES ('rebuild');
        CREATE VIRTUAL TABLE artists_fts USING fts5(name, content = 'artists', content_rowid = 'id', \(tokens));
        INSERT INTO artists_fts (artists_fts) VALUES ('rebuild');

        CREATE TRIGGER album_credits_fts_insert AFTER INSERT ON album_credits BEGIN
            INSERT INTO album_credits_fts (rowid, album, artist, album_artist)
            VALUES (new.id, new.album, new.artist, new.album_artist);
        END;
        CREATE TRIGGER album_credits_fts_delete AFTER DELETE ON album_credits BEGIN
            INSERT INTO album_credits_fts (album_credits_fts, rowid, album, artist, album_artist)
            VALUES ('delete', old.id, old.album, old.artist, old.album_artist);
        END;
        CREATE TRIGGER artists_fts_insert AFTER INSERT ON artists BEGIN
            INSERT INTO artists_fts (rowid, name) VALUES (new.id, new.name);
        END;
        CREATE TRIGGER artists_fts_delete AFTER DELETE ON artists BEGIN
            INSERT INTO artists_fts (artists_fts, rowid, name) VALUES ('delete', old.id, old.name);
        END;
        CREATE TRIGGER artists_fts_update AFTER UPDATE OF name ON artists WHEN old.name <> new.name BEGIN
            INSERT INTO artists_fts (artists_fts, rowid, name) VALUES ('delete', old.id, old.name);
            INSERT INTO artists_fts (rowid, name) VALUES (new.id, new.name);
        END;
        """

    private static let tokens = "tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3'"

    /// Insertions add to what is known; everything else is rarer and reads the album's tracks.
    private static let trackListTriggers = """
        CREATE TRIGGER lists_track_insert AFTER INSERT ON tracks BEGIN
            \(sortedValues)
        END;
        CREATE TRIGGER lists_track_hash AFTER UPDATE OF audio_hash ON tracks
        WHEN old.audio_hash IS NOT new.audio_hash
        BEGIN
            UPDATE tracks SET (duration_sort, bpm_sort) =
                (SELECT duration_seconds, bpm FROM analyses WHERE audio_hash = new.audio_hash)
            WHERE id = new.id;
        END;
        CREATE TRIGGER lists_analysis_insert AFTER INSERT ON analyses BEGIN
            UPDATE tracks SET duration_sort = new.duration_seconds, bpm_sort = new.bpm WHERE audio_hash = new.audio_hash;
        END;
        CREATE TRIGGER lists_analysis_update AFTER UPDATE OF audio_hash, duration_seconds, bpm ON analyses BEGIN
            UPDATE tracks SET duration_sort = NULL, bpm_sort = NULL
            WHERE audio_hash = old.audio_hash AND old.audio_hash <> new.audio_hash;
            UPDATE tracks SET duration_sort = new.duration_seconds, bpm_sort = new.bpm
            WHERE audio_hash = new.audio_hash
                AND (duration_sort IS NOT new.duration_seconds OR bpm_sort IS NOT new.bpm);
        END;
        CREATE TRIGGER lists_analysis_delete AFTER DELETE ON analyses BEGIN
            UPDATE tracks SET duration_sort = NULL, bpm_sort = NULL WHERE audio_hash = old.audio_hash;
        END;

        CREATE TRIGGER lists_track_added AFTER INSERT ON tracks WHEN new.unavailable_since_ms IS NULL BEGIN
            \(addedTrack)
        END;
        CREATE TRIGGER lists_track_removed AFTER DELETE ON tracks WHEN old.unavailable_since_ms IS NULL BEGIN
            UPDATE albums SET \(albumValues("old.album_id")) WHERE id = old.album_id;
            \(counted("old", by: -1))
        END;
        CREATE TRIGGER lists_track_changed
        AFTER UPDATE OF artist_id, album_id, year, genre, unavailable_since_ms, artist, album, album_artist ON tracks
        WHEN (old.unavailable_since_ms IS NULL OR new.unavailable_since_ms IS NULL)
            AND (\(differ(["artist_id", "album_id", "year", "genre", "artist", "album", "album_artist"]))
                OR (old.unavailable_since_ms IS NULL) <> (new.unavailable_since_ms IS NULL))
        BEGIN
            \(counted("old", by: -1))
            \(counted("new", by: 1))
            UPDATE albums SET \(albumValues("old.album_id")) WHERE id = old.album_id AND old.album_id IS NOT new.album_id;
            UPDATE albums SET \(albumValues("new.album_id")) WHERE id = new.album_id;
        END;
        """

    /// Statements of a trigger: what a new track is sorted by.
    static let sortedValues = """
        UPDATE tracks SET (duration_sort, bpm_sort) =
            (SELECT duration_seconds, bpm FROM analyses WHERE audio_hash = new.audio_hash)
        WHERE id = new.id AND EXISTS (SELECT 1 FROM analyses WHERE audio_hash = new.audio_hash);
        """

    /// Statements of a trigger: counts a new track.
    static let addedTrack = """
        UPDATE albums SET
            shown_artist_id = CASE
                WHEN artist_id IS NOT NULL THEN artist_id
                WHEN track_count = 0 OR shown_artist_id IS new.artist_id THEN new.artist_id END,
            first_year = CASE WHEN first_year IS NULL OR new.year < first_year THEN new.year ELSE first_year END,
            track_count = track_count + 1
        WHERE id = new.album_id;
        \(counted("new", by: 1))
        """

    private static let albumListTriggers = """
        CREATE TRIGGER lists_album_insert AFTER INSERT ON albums WHEN new.artist_id IS NOT NULL BEGIN
            UPDATE albums SET shown_artist_id = new.artist_id WHERE id = new.id;
        END;
        CREATE TRIGGER lists_album_artist AFTER UPDATE OF artist_id ON albums
        WHEN old.artist_id IS NOT new.artist_id
        BEGIN
            UPDATE albums SET \(albumValues("new.id")) WHERE id = new.id;
        END;
        CREATE TRIGGER lists_album_update AFTER UPDATE OF track_count, shown_artist_id ON albums
        WHEN old.shown_artist_id IS NOT new.shown_artist_id OR (old.track_count > 0) <> (new.track_count > 0)
        BEGIN
            UPDATE artists SET album_count = album_count - 1 WHERE id = old.shown_artist_id AND old.track_count > 0;
            UPDATE artists SET album_count = album_count + 1 WHERE id = new.shown_artist_id AND new.track_count > 0;
            UPDATE albums SET artist_sort =
                coalesce((SELECT name_sort FROM artists WHERE id = new.shown_artist_id), '')
            WHERE id = new.id AND old.shown_artist_id IS NOT new.shown_artist_id;
        END;
        CREATE TRIGGER lists_album_delete AFTER DELETE ON albums WHEN old.track_count > 0 BEGIN
            UPDATE artists SET album_count = album_count - 1 WHERE id = old.shown_artist_id;
        END;
        CREATE TRIGGER lists_artist_update AFTER UPDATE OF name_sort ON artists
        WHEN old.name_sort <> new.name_sort
        BEGIN
            UPDATE albums SET artist_sort = new.name_sort WHERE shown_artist_id = new.id;
        END;
        """

    private static func differ(_ columns: [String]) -> String {
        columns.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
    }

    /// Assignments of what an album shows of its tracks.
    /// - Parameter id: SQL for the album's id.
    private static func albumValues(_ id: String) -> String {
        let id = id == "albums" ? "albums.id" : id
        let tracks = "FROM tracks WHERE album_id = \(id) AND unavailable_since_ms IS NULL"
        // The plus keeps SQLite from scanning for the minimum year of all tracks before filtering by album.
        return """
            track_count = (SELECT count(*) \(tracks)),
            first_year = (SELECT min(+year) \(tracks)),
            shown_artist_id = coalesce(artist_id,
                (SELECT CASE WHEN min(coalesce(artist_id, 0)) = max(coalesce(artist_id, 0)) THEN min(artist_id) END
                    \(tracks)))
            """
    }

    /// Statements that add a row of `tracks`, if it is available, to the numbers of its artist and genre and to the credits of
    /// its album, or remove it from them.
    private static func counted(_ row: String, by step: Int) -> String {
        let isAvailable = "\(row).unavailable_since_ms IS NULL"
        let artist = """
            UPDATE artists SET track_count = track_count + \(step) WHERE id = \(row).artist_id AND \(isAvailable);
            """
        let texts = ["album", "artist", "album_artist"].map { "coalesce(\(row).\($0), '')" }
        guard step < 0 else {
            return """
                \(artist)
                INSERT INTO album_genres (genre, album_id, track_count)
                SELECT \(row).genre, coalesce(\(row).album_id, 0), 1 WHERE \(row).genre <> '' AND \(isAvailable)
                ON CONFLICT (genre, album_id) DO UPDATE SET track_count = track_count + 1;
                INSERT INTO album_credits (album_id, album, artist, album_artist, track_count)
                SELECT \(row).album_id, \(texts.joined(separator: ", ")), 1
                WHERE \(row).album_id IS NOT NULL AND \(isAvailable)
                ON CONFLICT (album_id, artist, album_artist, album) DO UPDATE SET track_count = track_count + 1;
                """
        }
        let genre = "genre = \(row).genre AND album_id = coalesce(\(row).album_id, 0)"
        let credit = """
            album_id = \(row).album_id AND artist = \(texts[1]) AND album_artist = \(texts[2]) AND album = \(texts[0])
            """
        return """
            \(artist)
            UPDATE album_genres SET track_count = track_count - 1 WHERE \(genre) AND \(isAvailable);
            DELETE FROM album_genres WHERE \(genre) AND track_count <= 0;
            UPDATE album_credits SET track_count = track_count - 1 WHERE \(credit) AND \(isAvailable);
            DELETE FROM album_credits WHERE \(credit) AND track_count <= 0;
            """
    }
}
