internal import SQLiteDatabase

/// What has changed in the catalogue, one after the other, so that a client that knows an earlier state is told the rest.
///
/// Triggers write it: no writer can forget to. Each row names what may look different from now on, and with a track the
/// album and the artist that it had before; what became of them is read from the catalogue itself. So a row is small, the
/// table is only added to at its end, and a track that is written costs one row of it.
///
/// A state is named by the number of the last row and by its mark, which is drawn at random. A library that was restored from
/// a copy, and then written on, has other marks from there: whoever knows a state that this library never had is found out.
///
/// Only the newest rows are kept; of an older state nothing can be told but the whole catalogue.
extension LibrarySchema {
    /// Rows of changes that are kept at least: about 5 MB of them. A library that grows keeps one for each track.
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
        CREATE TRIGGER changes_analysis_update AFTER UPDATE ON analyses
        WHEN \(differs(shownOfAnalyses))
        BEGIN
            INSERT INTO catalogue_changes (track_id)
            SELECT id FROM tracks WHERE audio_hash IN (old.audio_hash, new.audio_hash);
            \(forgetOld)
        END;
        CREATE TRIGGER changes_analysis_delete AFTER DELETE ON analyses BEGIN
            INSERT INTO catalogue_changes (track_id) SELECT id FROM tracks WHERE audio_hash = old.audio_hash;
        END;

        -- An album without tracks is not shown: with its first and its last track it comes and goes. Tracks tell the
        -- loudness of their album.
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

        -- Albums tell the name of their artist.
        CREATE TRIGGER changes_artist_update AFTER UPDATE ON artists
        WHEN \(differs(["name", "name_sort"]))
        BEGIN
            INSERT INTO catalogue_changes (artist_id) VALUES (old.id);
            INSERT INTO catalogue_changes (album_id)
            SELECT id FROM albums WHERE artist_id = old.id
            UNION SELECT album_id FROM tracks WHERE artist_id = old.id AND album_id IS NOT NULL;
        END;
        """

    // What lists tell of a row, or are sorted by.

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

    /// Never the newest: the next row takes the number after it. What is only added, as by the first pass over a library,
    /// grows no further than the library, and is spared this.
    private static let forgetOld = """
        DELETE FROM catalogue_changes
        WHERE revision <= (SELECT max(revision) FROM catalogue_changes) - \(keptChanges);
        """

    private static func differs(_ columns: [String]) -> String {
        columns.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
    }
}
