package import Analyzer
internal import SQLiteDatabase

/// Albums whose loudness is stored in one transaction: a transaction takes longer than an album's measurement.
private let albumsPerTransaction = 64

extension LibraryStore {
    /// The loudness of an album as a whole; nil if it is not known, or the album's tracks have changed since.
    package func albumLoudness(id: Int) throws -> AlbumLoudness? {
        try read { database in
            try database.fetchOne("SELECT * FROM albums WHERE id = ? AND is_loudness_current", [id]) { row in
                AlbumLoudness(
                    integratedLUFS: try row["integrated_lufs"], loudnessRangeLU: try row["loudness_range_lu"],
                    samplePeak: try row["sample_peak"], truePeak: try row["true_peak"])
            }
        }
    }

    /// Albums whose loudness should be measured: it is unknown or out of date, and all
    /// their tracks have a profile from the current version of the analyzer.
    package func albumsWithOutdatedLoudness(version: Int = TrackAnalysis.currentVersion) throws -> [Int] {
        try read { database in
            try database.values(
                """
                SELECT albums.id FROM albums
                JOIN tracks ON tracks.album_id = albums.id AND tracks.unavailable_since_ms IS NULL
                LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
                WHERE albums.is_loudness_current = 0
                GROUP BY albums.id HAVING count(*) = sum(analyses.profile_version IS ?)
                """, [version])
        }
    }

    /// Loudness and peaks of some audio, without histograms and curve; nil if it has no profile.
    package func loudness(of hash: AudioHash) throws -> LoudnessMeasurement? {
        try read { database in
            try database.fetchOne(
                """
                SELECT *, NULL AS gating_blocks, NULL AS short_term_blocks, NULL AS momentary_loudness
                FROM analyses WHERE audio_hash = ? AND profile_version IS NOT NULL
                """, [hash.bytes], AnalysisRow.loudness)
        }
    }

    /// Computes the loudness of all albums that need it and whose tracks have been analysed, from the stored
    /// measurements of their tracks.
    /// - Returns: whether there were any.
    @discardableResult
    package func measureOutdatedAlbums() throws -> Bool {
        let albums = try albumsWithOutdatedLoudness()
        for start in stride(from: 0, to: albums.count, by: albumsPerTransaction) {
            try write { database in
                for album in albums[start...].prefix(albumsPerTransaction) {
                    let tracks = try Self.loudnessMeasurements(albumID: album, database)
                    // Empty if the album has gone since.
                    guard !tracks.isEmpty else { continue }
                    try Self.setLoudness(AlbumLoudness(of: tracks), albumID: album, database)
                }
            }
        }
        return !albums.isEmpty
    }

    /// The loudness of the tracks of a folder as a whole; nil if one of them has not been analysed, or there
    /// are too many for an album.
    /// - Parameters:
    ///   - folder: the folder; nil for the music folder itself. Subfolders are not included.
    ///   - limit: the maximum number of tracks.
    package func loudness(ofFolder folder: RelativePath?, limit: Int = 1_000) throws -> AlbumLoudness? {
        let prefix = folder.map { "\($0.text)/" } ?? ""
        let end = folder.map { "\($0.text)0" } ?? "\u{10FFFF}"
        let tracks = try read { database in
            try database.fetchAll(
                """
                SELECT analyses.*, analysis_details.gating_blocks, analysis_details.short_term_blocks,
                    analysis_details.momentary_loudness
                FROM tracks LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
                LEFT JOIN analysis_details ON analysis_details.audio_hash = analyses.audio_hash
                WHERE tracks.relative_path >= ?1 AND tracks.relative_path < ?2
                    AND instr(substr(tracks.relative_path, length(?1) + 1), '/') = 0
                    AND tracks.unavailable_since_ms IS NULL
                LIMIT ?3
                """, [prefix, end, limit + 1]
            ) { row -> LoudnessMeasurement? in
                let version: Int? = try row["profile_version"]
                return version == nil ? nil : try AnalysisRow.loudness(row)
            }
        }
        guard !tracks.isEmpty, tracks.count <= limit, !tracks.contains(nil) else { return nil }
        return AlbumLoudness(of: tracks.compactMap { $0 })
    }

    /// The loudness measurements of an album's tracks, with the histograms to be pooled. Audio that
    /// occurs twice on the album counts twice.
    package func loudnessMeasurements(albumID: Int) throws -> [LoudnessMeasurement] {
        try read { database in try Self.loudnessMeasurements(albumID: albumID, database) }
    }

    private static func loudnessMeasurements(
        albumID: Int, _ database: Database
    ) throws -> [LoudnessMeasurement] {
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

    /// Stores the loudness of an album.
    /// - Throws: `notFound` if there is no such album.
    package func setLoudness(_ loudness: AlbumLoudness, albumID: Int) throws {
        try write { database in try Self.setLoudness(loudness, albumID: albumID, database) }
    }

    private static func setLoudness(_ loudness: AlbumLoudness, albumID: Int, _ database: Database) throws {
        var columns = ColumnValues()
        columns["is_loudness_current"] = true
        columns["integrated_lufs"] = loudness.integratedLUFS
        columns["loudness_range_lu"] = loudness.loudnessRangeLU
        columns["sample_peak"] = loudness.samplePeak
        columns["true_peak"] = loudness.truePeak
        try columns.update("albums", id: albumID, database)
        guard database.changedRowCount == 1 else {
            throw StoreError(.notFound, "no such album: \(albumID)")
        }
    }

    /// Notes that the loudness of albums must be measured again. Albums of which this is known are not written.
    /// - Parameters:
    ///   - condition: SQL for the albums, with values as its arguments.
    static func outdateAlbums(
        _ condition: StaticString, _ values: [(any DatabaseBindable)?], _ database: Database
    ) throws {
        try database.execute(
            "UPDATE albums SET is_loudness_current = 0 WHERE is_loudness_current AND \(condition)", values)
    }
}
