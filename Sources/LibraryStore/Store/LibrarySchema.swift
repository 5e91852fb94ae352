internal import SQLiteDatabase

/// The tables of `library.sqlite`, which clients download too: it must not contain secrets.
///
/// Times are milliseconds since 1970 unless their name says otherwise. A track refers to its analysis by
/// `audio_hash` alone, without a foreign key: an analysis is kept when its last track is removed, so that it
/// is available if the file comes back; and a track may exist before its analysis.
enum LibrarySchema {
    /// "KaLi": marks the file as a library of this program.
    static let applicationID: Int32 = 0x4B61_4C69

    static let migrations = [
        Migration("catalogue", sql: catalogue),
        Migration("analyses", sql: analyses),
        Migration("search", sql: search),
        // An analysis may be shared by files with tags of different sizes.
        Migration(
            "payload offset", sql: "ALTER TABLE tracks ADD COLUMN payload_offset INTEGER NOT NULL DEFAULT 0"),
        Migration("catalogue order", apply: addCatalogueOrder),
        Migration("catalogue changes", sql: changes),
        // NULL if damaged frames were not counted.
        Migration("damaged frames", sql: "ALTER TABLE analyses ADD COLUMN damaged_frame_count INTEGER"),
        Migration("credits", sql: credits),
        // NULL without a key, and in analyses of versions up to 4.
        Migration("tuning", sql: "ALTER TABLE analyses ADD COLUMN tuning_cents REAL"),
        Migration("playlist owners", sql: playlistOwners),
        // NULL without a tempo, and in analyses of versions up to 5.
        Migration("beat confidence", sql: beatConfidence),
        // NULL where nothing is loud enough, and in analyses of versions up to 6.
        Migration(
            "dynamics",
            sql:
                "ALTER TABLE analyses ADD COLUMN plr_db REAL; ALTER TABLE analyses ADD COLUMN min_psr_db REAL"
        ),
        // NULL for audio of less than three seconds, and in analyses of versions up to 7.
        Migration("fingerprints", sql: "ALTER TABLE analysis_details ADD COLUMN fingerprint BLOB"),
        // NULL for less than a second of sound, and in analyses of versions up to 7.
        Migration("sound", sql: sound),
        // NULL without a tempo, and in analyses of versions up to 7.
        Migration("bars", sql: bars),
        // NULL also for files that were read before, until they change.
        Migration(
            "tagged tempo",
            sql:
                "ALTER TABLE tracks ADD COLUMN tagged_bpm REAL; ALTER TABLE tracks ADD COLUMN tagged_key TEXT"
        ),
        // Until now all tracks were MP3 files, which have no bit depth. `mpeg_version` is empty for other formats.
        Migration(
            "formats",
            sql: """
                ALTER TABLE analyses ADD COLUMN format TEXT NOT NULL DEFAULT 'mp3';
                ALTER TABLE analyses ADD COLUMN bit_depth INTEGER;
                """),
        // NULL without a tempo, for less than eight bars, and in analyses of versions up to 8.
        Migration("phrases", sql: "ALTER TABLE analyses ADD COLUMN phrases BLOB"),
        // NULL without a key and in analyses of versions up to 9.
        Migration("key_sections", sql: "ALTER TABLE analyses ADD COLUMN key_sections BLOB"),
        Migration("smart playlists", sql: smartPlaylists),
        lists,
        Migration("file divisions", sql: fileDivisions),
        Migration("row changes", sql: rowChanges),
        // Answers lists and random selections of a genre, also of a genre and years, without reading the rows of tracks.
        Migration(
            "genres by year",
            sql: """
                DROP INDEX tracks_by_genre;
                CREATE INDEX tracks_by_genre ON tracks (genre COLLATE NOCASE, unavailable_since_ms, year);
                """),
        Migration("bulk insertion", sql: bulkInsertion),
        // NULL until the next pass reads the cue sheets again, as if they had changed.
        Migration(
            "starts of parts",
            sql: """
                ALTER TABLE tracks ADD COLUMN part_start_sample INTEGER;
                UPDATE file_divisions SET sheets = '' WHERE track_numbers <> '';
                """),
    ]

    /// Tracks of cue sheets, which are parts of files. NULL in `part_offset` and the columns after it for tracks that are whole files.
    private static let fileDivisions = """
        ALTER TABLE tracks ADD COLUMN part_offset INTEGER;
        ALTER TABLE tracks ADD COLUMN part_byte_count INTEGER;
        ALTER TABLE tracks ADD COLUMN part_skipped_samples INTEGER;
        ALTER TABLE tracks ADD COLUMN part_sample_count INTEGER;

        CREATE TABLE file_divisions (
            relative_path TEXT PRIMARY KEY,
            path_bytes BLOB,
            -- Identifies the cue sheets beside the file.
            sheets TEXT,
            -- Numbers separated by spaces; empty if the file is one track.
            track_numbers TEXT NOT NULL,
            -- Why a cue sheet was not used.
            remark TEXT
        ) STRICT, WITHOUT ROWID;
        """

    private static let sound = """
        ALTER TABLE analyses ADD COLUMN energy REAL;
        ALTER TABLE analyses ADD COLUMN danceability REAL;
        ALTER TABLE analyses ADD COLUMN brightness_hz REAL;
        ALTER TABLE analyses ADD COLUMN descriptor BLOB;
        """

    private static let catalogue = """
        CREATE TABLE artists (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            name_key TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE albums (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            album_key TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            artist_id INTEGER REFERENCES artists ON DELETE SET NULL,
            is_compilation INTEGER NOT NULL DEFAULT 0,
            is_loudness_current INTEGER NOT NULL DEFAULT 0,
            integrated_lufs REAL,
            loudness_range_lu REAL,
            sample_peak REAL,
            true_peak REAL
        ) STRICT;
        CREATE INDEX albums_by_artist ON albums (artist_id);

        CREATE TABLE tracks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            relative_path TEXT NOT NULL UNIQUE,
            path_bytes BLOB,
            audio_hash BLOB NOT NULL CHECK (length(audio_hash) = 16),
            file_size INTEGER NOT NULL,
            modified_at_ns INTEGER NOT NULL,
            title TEXT,
            artist TEXT,
            album TEXT,
            album_artist TEXT,
            track_number INTEGER,
            track_total INTEGER,
            disc_number INTEGER,
            disc_total INTEGER,
            year INTEGER,
            genre TEXT,
            composer TEXT,
            comment TEXT,
            is_compilation INTEGER NOT NULL,
            has_cover INTEGER NOT NULL,
            musicbrainz_album_id TEXT,
            tagged_track_gain_db REAL,
            tagged_track_peak REAL,
            tagged_album_gain_db REAL,
            tagged_album_peak REAL,
            tagged_mixramp_start TEXT,
            tagged_mixramp_end TEXT,
            tagged_mixramp_reference TEXT,
            tag_kinds INTEGER NOT NULL,
            artist_id INTEGER REFERENCES artists ON DELETE SET NULL,
            album_id INTEGER REFERENCES albums ON DELETE SET NULL,
            added_at_ms INTEGER NOT NULL,
            changed_at_ms INTEGER NOT NULL,
            unavailable_since_ms INTEGER
        ) STRICT;
        CREATE INDEX tracks_by_hash ON tracks (audio_hash);
        CREATE INDEX tracks_by_album ON tracks (album_id, disc_number, track_number);
        CREATE INDEX tracks_by_artist ON tracks (artist_id);
        CREATE INDEX tracks_by_genre ON tracks (genre);

        CREATE TABLE playlists (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            created_at_ms INTEGER NOT NULL,
            changed_at_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE playlist_entries (
            playlist_id INTEGER NOT NULL REFERENCES playlists ON DELETE CASCADE,
            position INTEGER NOT NULL,
            track_id INTEGER NOT NULL REFERENCES tracks ON DELETE CASCADE,
            PRIMARY KEY (playlist_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX playlist_entries_by_track ON playlist_entries (track_id);
        """

    /// The numbers of an analysis are in one table; large and rarely needed data is in another, which a slim
    /// copy of the database can omit.
    private static let analyses = """
        CREATE TABLE analyses (
            id INTEGER PRIMARY KEY,
            audio_hash BLOB NOT NULL UNIQUE CHECK (length(audio_hash) = 16),
            analyzer_version INTEGER NOT NULL,
            profile_version INTEGER,
            analyzed_at_ms INTEGER NOT NULL,
            mpeg_version TEXT NOT NULL,
            sample_rate_hz INTEGER NOT NULL,
            channels INTEGER NOT NULL,
            bit_rate_mode TEXT NOT NULL,
            average_bit_rate_bps INTEGER NOT NULL,
            frame_count INTEGER NOT NULL,
            samples_per_frame INTEGER NOT NULL,
            encoder_delay_samples INTEGER NOT NULL,
            encoder_padding_samples INTEGER NOT NULL,
            decoded_sample_count INTEGER NOT NULL,
            sample_count INTEGER NOT NULL,
            duration_seconds REAL NOT NULL,
            skipped_bytes INTEGER NOT NULL,
            resync_count INTEGER NOT NULL,
            remarks TEXT NOT NULL,
            integrated_lufs REAL,
            loudness_range_lu REAL,
            max_momentary_lufs REAL,
            max_short_term_lufs REAL,
            sample_peak REAL,
            sample_peak_dbfs REAL,
            true_peak REAL,
            true_peak_dbtp REAL,
            silence_start_seconds REAL,
            silence_end_seconds REAL,
            is_silent INTEGER,
            cue_in_seconds REAL,
            cue_out_seconds REAL,
            fade_in_end_seconds REAL,
            fade_out_start_seconds REAL,
            start_next_seconds REAL,
            ending TEXT,
            cue_in_confidence REAL,
            cue_out_confidence REAL,
            start_next_confidence REAL,
            inner_silence_start_seconds REAL,
            inner_silence_end_seconds REAL,
            start_ramp TEXT,
            end_ramp TEXT,
            bpm REAL,
            bpm_confidence REAL,
            first_beat_seconds REAL,
            key_tonic INTEGER,
            key_mode TEXT,
            key_confidence REAL
        ) STRICT;
        CREATE INDEX analyses_state ON analyses (audio_hash, analyzer_version, profile_version);

        CREATE TABLE analysis_details (
            audio_hash BLOB NOT NULL PRIMARY KEY
                REFERENCES analyses (audio_hash) ON DELETE CASCADE,
            frame_index BLOB NOT NULL,
            beats BLOB,
            waveform_sample_rate_hz INTEGER,
            waveform_samples_per_pixel INTEGER,
            waveform BLOB,
            gating_blocks BLOB,
            short_term_blocks BLOB,
            momentary_loudness BLOB
        ) STRICT;

        CREATE TABLE analysis_failures (
            relative_path TEXT NOT NULL PRIMARY KEY,
            path_bytes BLOB,
            file_size INTEGER NOT NULL,
            modified_at_ns INTEGER NOT NULL,
            analyzer_version INTEGER NOT NULL,
            error_code TEXT NOT NULL,
            message TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            failed_at_ms INTEGER NOT NULL
        ) STRICT;
        """

    /// Tags that only some clients show. NULL also for files that were read before, until they change.
    private static let credits = """
        ALTER TABLE tracks ADD COLUMN isrc TEXT;
        ALTER TABLE tracks ADD COLUMN musicbrainz_track_id TEXT;
        ALTER TABLE tracks ADD COLUMN tagged_title_sort TEXT;
        ALTER TABLE tracks ADD COLUMN mood TEXT;
        ALTER TABLE tracks ADD COLUMN advisory INTEGER;
        ALTER TABLE tracks ADD COLUMN lyricist TEXT;
        ALTER TABLE tracks ADD COLUMN conductor TEXT;
        ALTER TABLE tracks ADD COLUMN remixer TEXT;
        """

    /// Names of playlists are unique within an account. Until now there was one account, and every client saw all playlists.
    private static let playlistOwners = """
        CREATE TABLE owned_playlists (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            owner_id INTEGER NOT NULL DEFAULT 1,
            is_public INTEGER NOT NULL DEFAULT 0,
            name TEXT NOT NULL,
            name_sort TEXT NOT NULL DEFAULT '',
            description TEXT,
            revision INTEGER NOT NULL DEFAULT 1,
            created_at_ms INTEGER NOT NULL,
            changed_at_ms INTEGER NOT NULL,
            UNIQUE (owner_id, name)
        ) STRICT;
        CREATE TABLE owned_entries (
            playlist_id INTEGER NOT NULL REFERENCES owned_playlists ON DELETE CASCADE,
            position INTEGER NOT NULL,
            track_id INTEGER NOT NULL REFERENCES tracks ON DELETE CASCADE,
            PRIMARY KEY (playlist_id, position)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO owned_playlists
            (id, is_public, name, name_sort, description, revision, created_at_ms, changed_at_ms)
        SELECT id, 1, name, name_sort, description, revision, created_at_ms, changed_at_ms FROM playlists;
        INSERT INTO owned_entries SELECT playlist_id, position, track_id FROM playlist_entries;
        -- Ids of deleted playlists are not used again.
        DELETE FROM sqlite_sequence WHERE name = 'owned_playlists';
        INSERT INTO sqlite_sequence (name, seq)
        SELECT 'owned_playlists', seq FROM sqlite_sequence WHERE name = 'playlists';
        DROP TRIGGER playlists_lose_track;
        DROP TABLE playlist_entries;
        DROP TABLE playlists;
        ALTER TABLE owned_playlists RENAME TO playlists;
        ALTER TABLE owned_entries RENAME TO playlist_entries;
        CREATE INDEX playlist_entries_by_track ON playlist_entries (track_id);
        CREATE TRIGGER playlists_lose_track BEFORE DELETE ON tracks BEGIN
            UPDATE playlists SET revision = revision + 1
            WHERE id IN (SELECT playlist_id FROM playlist_entries WHERE track_id = old.id);
        END;
        """

    /// The search index stores no text: it reads `tracks`, and triggers keep it up to date.
    private static let search = """
        CREATE VIRTUAL TABLE tracks_fts USING fts5(
            title, artist, album, album_artist, composer, genre, relative_path,
            content = 'tracks', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
        );
        CREATE TRIGGER tracks_fts_insert AFTER INSERT ON tracks BEGIN
            INSERT INTO tracks_fts
                (rowid, title, artist, album, album_artist, composer, genre, relative_path)
            VALUES (new.id, new.title, new.artist, new.album, new.album_artist, new.composer, new.genre,
                new.relative_path);
        END;
        CREATE TRIGGER tracks_fts_delete AFTER DELETE ON tracks BEGIN
            INSERT INTO tracks_fts
                (tracks_fts, rowid, title, artist, album, album_artist, composer, genre, relative_path)
            VALUES ('delete', old.id, old.title, old.artist, old.album, old.album_artist, old.composer,
                old.genre, old.relative_path);
        END;
        CREATE TRIGGER tracks_fts_update
        AFTER UPDATE OF title, artist, album, album_artist, composer, genre, relative_path ON tracks
        WHEN old.title IS NOT new.title OR old.artist IS NOT new.artist OR old.album IS NOT new.album
            OR old.album_artist IS NOT new.album_artist OR old.composer IS NOT new.composer
            OR old.genre IS NOT new.genre OR old.relative_path IS NOT new.relative_path
        BEGIN
            INSERT INTO tracks_fts
                (tracks_fts, rowid, title, artist, album, album_artist, composer, genre, relative_path)
            VALUES ('delete', old.id, old.title, old.artist, old.album, old.album_artist, old.composer,
                old.genre, old.relative_path);
            INSERT INTO tracks_fts
                (rowid, title, artist, album, album_artist, composer, genre, relative_path)
            VALUES (new.id, new.title, new.artist, new.album, new.album_artist, new.composer, new.genre,
                new.relative_path);
        END;
        """
}
