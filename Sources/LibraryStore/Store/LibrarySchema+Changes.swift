internal import SQLiteDatabase

/// The log of changes to the catalogue, so that a client that knows an earlier state only needs the changes
/// since.
///
/// It is written by triggers, so that no writer can forget it. Each row refers to items that may have
/// changed, and for a track also to its previous album and artist; the new values are read from the
/// catalogue itself. So rows are small, the table only grows at its end, and writing a track adds one row.
///
/// A state is identified by the number of the last row and by its random mark. A library that was restored
/// from a copy and then changed has different marks from there on, so a client's state that this library
/// never had is detected.
///
/// Only the newest rows are kept; clients with an older state need the whole catalogue.
extension LibrarySchema {
    /// Minimum number of changes to keep: about 5 MB. A growing library keeps one for each track.
    static let keptChanges = 1 << 18

    static let changes = """
        CREATE TABLE catalogue_changes (
            revision INTEGER PRIMARY KEY,
            mark INTEGER NOT NULL DEFAULT (random() >> 32),
            track_id INTEGER,
            album_id INTEGER,
            artist_id INTEGER
        ) STRICT;
        INSERT INTO catalogue_changes DEFAULT VALUES;

        CREATE TRIGGER changes_track_insert AFTER INSERT ON tracks BEGIN
            INSERT INTO catalogue_changes (track_id) VALUES (new.id);
        END;
        CREATE TRIGGER changes_track_update AFTER UPDATE ON tracks
        WHEN \(differs(shownOfTracks))
        BEGIN
            INSERT INTO catalogue_changes (track_id, album_id, artist_id)
            VALUES (old.id, old.album_id, old.artist_id);
            \(forgetOld)
        END;
        CREATE TRIGGER changes_track_delete AFTER DELETE ON tracks BEGIN
            INSERT INTO catalogue_changes (track_id, album_id, artist_id)
            VALUES (old.id, old.album_id, old.artist_id);
            \(forgetOld)
        END;

        CREATE TRIGGER changes_analysis_insert AFTER INSERT ON analyses BEGIN
            INSERT INTO catalogue_changes (track_id) SELECT id FROM tracks WHERE audio_hash = new.audio_hash;
        END;
        \(analysisUpdateTrigger(shownOfAnalyses))
        CREATE TRIGGER changes_analysis_delete AFTER DELETE ON analyses BEGIN
            INSERT INTO catalogue_changes (track_id) SELECT id FROM tracks WHERE audio_hash = old.audio_hash;
        END;

        -- An album without tracks is not shown: it appears with its first track and disappears with its last.
        -- Tracks show the loudness of their album.
        CREATE TRIGGER changes_album_update AFTER UPDATE ON albums
        WHEN \(differs(shownOfAlbums))
        BEGIN
            INSERT INTO catalogue_changes (album_id, artist_id) VALUES (old.id, old.artist_id);
            INSERT INTO catalogue_changes (track_id) SELECT id FROM tracks
            WHERE album_id = old.id AND (\(differs(loudnessOfAlbums)));
            \(forgetOld)
        END;

        CREATE TRIGGER changes_album_delete AFTER DELETE ON albums BEGIN
            INSERT INTO catalogue_changes (album_id, artist_id) VALUES (old.id, old.artist_id);
        END;

        -- Albums show the name of their artist.
        CREATE TRIGGER changes_artist_update AFTER UPDATE ON artists
        WHEN \(differs(["name", "name_sort"]))
        BEGIN
            INSERT INTO catalogue_changes (artist_id) VALUES (old.id);
            INSERT INTO catalogue_changes (album_id)
            SELECT id FROM albums WHERE artist_id = old.id
            UNION SELECT album_id FROM tracks WHERE artist_id = old.id AND album_id IS NOT NULL;
        END;
        """

    /// Adds a column that lists show, and records its changes.
    static let beatConfidence = """
        ALTER TABLE analyses ADD COLUMN beat_confidence REAL;
        DROP TRIGGER changes_analysis_update;
        \(analysisUpdateTrigger(shownOfAnalyses + ["beat_confidence"]))
        """

    /// Adds the metre and the bars, which lists show, and records their changes.
    static let bars = """
        ALTER TABLE analyses ADD COLUMN beats_per_bar INTEGER;
        ALTER TABLE analyses ADD COLUMN first_downbeat INTEGER;
        ALTER TABLE analyses ADD COLUMN bar_confidence REAL;
        DROP TRIGGER changes_analysis_update;
        \(analysisUpdateTrigger(
            shownOfAnalyses + ["beat_confidence", "beats_per_bar", "first_downbeat", "bar_confidence"]))
        """

    /// Smart playlists, and the changes of all columns that their rules read.
    static let smartPlaylists = """
        CREATE TABLE smart_playlists (
            playlist_id INTEGER PRIMARY KEY REFERENCES playlists ON DELETE CASCADE,
            -- JSON as in Navidrome's .nsp files.
            rules TEXT NOT NULL
        ) STRICT;
        DROP TRIGGER changes_analysis_update;
        \(analysisUpdateTrigger(
            shownOfAnalyses + ["beat_confidence", "beats_per_bar", "first_downbeat", "bar_confidence"]
                + readByRules))
        DROP TRIGGER changes_track_update;
        CREATE TRIGGER changes_track_update AFTER UPDATE ON tracks
        WHEN \(differs(shownOfTracks
            + ["comment", "mood", "lyricist", "conductor", "remixer", "is_compilation"]))
        BEGIN
            INSERT INTO catalogue_changes (track_id, album_id, artist_id)
            VALUES (old.id, old.album_id, old.artist_id);
            \(forgetOld)
        END;
        """

    /// Columns of analyses that only rules of smart playlists read.
    private static let readByRules = [
        "max_momentary_lufs", "max_short_term_lufs", "plr_db", "min_psr_db", "energy", "danceability",
        "brightness_hz", "tuning_cents", "is_silent", "damaged_frame_count", "format", "bit_rate_mode",
        "bit_depth",
    ]

    private static func analysisUpdateTrigger(_ columns: [String]) -> String {
        """
        CREATE TRIGGER changes_analysis_update AFTER UPDATE ON analyses
        WHEN \(differs(columns))
        BEGIN
            INSERT INTO catalogue_changes (track_id)
            SELECT id FROM tracks WHERE audio_hash IN (old.audio_hash, new.audio_hash);
            \(forgetOld)
        END;
        """
    }

    // Columns that lists show or sort by.

    private static let shownOfTracks = [
        "relative_path", "audio_hash", "file_size", "title", "artist", "album", "album_artist",
        "track_number",
        "disc_number", "year", "genre", "composer", "has_cover", "artist_id", "album_id", "added_at_ms",
        "changed_at_ms", "unavailable_since_ms", "title_sort", "artist_sort", "album_sort",
    ]

    private static let shownOfAnalyses = [
        "audio_hash", "duration_seconds", "sample_count", "sample_rate_hz", "channels",
        "average_bit_rate_bps",
        "encoder_delay_samples", "encoder_padding_samples", "integrated_lufs", "loudness_range_lu",
        "sample_peak_dbfs", "true_peak_dbtp", "cue_in_seconds", "cue_out_seconds", "fade_in_end_seconds",
        "fade_out_start_seconds", "start_next_seconds", "ending", "bpm", "bpm_confidence",
        "first_beat_seconds", "key_tonic", "key_mode", "key_confidence",
    ]

    private static let shownOfAlbums =
        [
            "title", "title_sort", "artist_id", "is_compilation", "loudness_range_lu", "sample_peak",
        ] + loudnessOfAlbums

    private static let loudnessOfAlbums = ["is_loudness_current", "integrated_lufs", "true_peak"]

    /// Never deletes the newest row: the next row gets the number after it. Rows from insertions alone, as in
    /// the first pass over a library, do not exceed the size of the library, so inserts skip this.
    private static let forgetOld = """
        DELETE FROM catalogue_changes
        WHERE revision <= (SELECT max(revision) FROM catalogue_changes) - \(keptChanges);
        """

    private static func differs(_ columns: [String]) -> String {
        columns.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
    }
}
