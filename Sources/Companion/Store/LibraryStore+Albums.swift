public import Analyzer
internal import SQLiteDatabase

extension LibraryStore {
    /// All albums that have a track that can be played, by artist and title.
    public func albums() throws -> [CatalogueAlbum] {
        try read { database in
            try database.fetchAll(
                "\(Self.albumQuery) GROUP BY albums.id ORDER BY artist, albums.title, albums.id", [],
                Self.album)
        }
    }

    /// An album with those of its tracks that can be played, by disc, track and path; nil if there is none.
    public func album(id: Int) throws -> (album: CatalogueAlbum, tracks: [AnalysedTrack])? {
        try read { database in
            let album = try database.fetchOne(
                "\(Self.albumQuery) AND albums.id = ? GROUP BY albums.id", [id], Self.album)
            guard let album else { return nil }
            let tracks = try database.fetchAll(
                """
                SELECT * FROM tracks \(AnalysisRow.joins)
                WHERE tracks.album_id = ? AND tracks.unavailable_since_ms IS NULL
                ORDER BY tracks.disc_number, tracks.track_number, tracks.relative_path
                """, [id], Self.analysedTrack)
            return (album, tracks)
        }
    }

    /// All artists of tracks or albums that can be played, by name.
    public func artists() throws -> [CatalogueArtist] {
        try read { database in
            try database.fetchAll(
                """
                SELECT id, name,
                    (SELECT count(*) FROM tracks
                        WHERE artist_id = artists.id AND unavailable_since_ms IS NULL) AS track_count,
                    (SELECT count(*) FROM albums WHERE artist_id = artists.id AND EXISTS
                        (SELECT 1 FROM tracks WHERE album_id = albums.id AND unavailable_since_ms IS NULL))
                        AS album_count
                FROM artists WHERE track_count + album_count > 0 ORDER BY name_key
                """
            ) { row in
                CatalogueArtist(
                    id: try row[0], name: try row[1], trackCount: try row[2], albumCount: try row[3])
            }
        }
    }

    /// Albums whose loudness is to be measured: it never was, or their tracks have changed since, and now all
    /// their tracks have a profile of the present version of the analyzer.
    public func albumsWithOutdatedLoudness(version: Int = TrackAnalysis.currentVersion) throws -> [Int] {
        try read { database in
            try database.fetchAll(
                """
                SELECT albums.id FROM albums
                JOIN tracks ON tracks.album_id = albums.id AND tracks.unavailable_since_ms IS NULL
                LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
                WHERE albums.is_loudness_current = 0
                GROUP BY albums.id HAVING count(*) = sum(analyses.profile_version IS ?)
                """, [version]
            ) { row in try row[0] }
        }
    }

    /// The loudness measurements of an album's tracks, with the histograms to be pooled. A piece of audio that
    /// the album has twice counts twice.
    public func loudnessMeasurements(albumID: Int) throws -> [LoudnessMeasurement] {
        try read { database in
            try database.fetchAll(
                """
                SELECT analyses.*, analysis_details.gating_blocks, analysis_details.short_term_blocks,
                    analysis_details.momentary_loudness
                FROM tracks JOIN analyses ON analyses.audio_hash = tracks.audio_hash
                JOIN analysis_details ON analysis_details.audio_hash = analyses.audio_hash
                WHERE tracks.album_id = ? AND tracks.unavailable_since_ms IS NULL
                    AND analyses.profile_version IS NOT NULL
                ORDER BY tracks.id
                """, [albumID], AnalysisRow.loudness)
        }
    }

    /// Stores the loudness of an album.
    /// - Throws: `notFound` if there is no such album.
    public func setLoudness(_ loudness: AlbumLoudness, albumID: Int) throws {
        try write { database in
            var columns = ColumnValues()
            columns["is_loudness_current"] = true
            columns["integrated_lufs"] = loudness.integratedLUFS
            columns["loudness_range_lu"] = loudness.loudnessRangeLU
            columns["sample_peak"] = loudness.samplePeak
            columns["true_peak"] = loudness.truePeak
            try columns.update("albums", id: albumID, database)
            guard database.changedRowCount == 1 else {
                throw StoreError(.notFound, "there is no album \(albumID)")
            }
        }
    }

    /// An album without an album artist has its tracks' artist, if that is one and the same.
    private static let albumQuery = """
        SELECT albums.*, artists.id AS shown_artist_id, artists.name AS artist, min(tracks.year) AS year,
            count(*) AS track_count
        FROM albums JOIN tracks ON tracks.album_id = albums.id
        LEFT JOIN artists ON artists.id = coalesce(albums.artist_id,
            (SELECT CASE WHEN count(DISTINCT coalesce(artist_id, 0)) = 1 THEN min(artist_id) END FROM tracks
                WHERE album_id = albums.id AND unavailable_since_ms IS NULL))
        WHERE tracks.unavailable_since_ms IS NULL
        """

    private static func album(_ row: borrowing Row) throws -> CatalogueAlbum {
        var loudness: AlbumLoudness?
        if try row["is_loudness_current"] {
            loudness = AlbumLoudness(
                integratedLUFS: try row["integrated_lufs"], loudnessRangeLU: try row["loudness_range_lu"],
                samplePeak: try row["sample_peak"], truePeak: try row["true_peak"])
        }
        return CatalogueAlbum(
            id: try row["id"], title: try row["title"], artist: try row["artist"],
            artistID: try row["shown_artist_id"], isCompilation: try row["is_compilation"],
            year: try row["year"], trackCount: try row["track_count"], loudness: loudness)
    }
}
