package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns a page of the albums that have an available track.
    ///
    /// A search covers title, album artist and artists; genre and year are those of the tracks and of the
    /// album.
    package func albums(_ query: CatalogueQuery<AlbumSort>) throws -> CataloguePage<AlbumItem> {
        var selection = CatalogueSelection("albums", where: Self.hasTracks)
        if let artist = query.artistID { Self.narrow(&selection, toArtist: artist) }
        if let year = query.year { selection.narrow("\(Self.year) = ?", year) }
        if let genre = query.genre {
            selection.narrow(
                """
                albums.id IN (SELECT album_id FROM tracks
                    WHERE genre = ? COLLATE NOCASE AND +unavailable_since_ms IS NULL)
                """, genre)
        }
        let matches = try search(query.text, in: &selection) { selection, words in
            selection.narrow(
                """
                albums.id IN (SELECT tracks.album_id FROM tracks_fts
                    CROSS JOIN tracks ON tracks.id = tracks_fts.rowid
                    WHERE tracks_fts MATCH ? AND +tracks.unavailable_since_ms IS NULL)
                """, "{album album_artist artist} : (\(words))")
        } byPattern: { selection, pattern in
            selection.narrow("albums.title LIKE ? ESCAPE '\\'", pattern)
        }
        selection.terms = Self.order(query.sort)
        if query.sort == .relevance, let matches {
            rank(
                &selection, matches,
                wholeWords: """
                    SELECT tracks.album_id FROM tracks_fts
                    CROSS JOIN tracks ON tracks.id = tracks_fts.rowid
                    WHERE tracks_fts MATCH ? AND tracks.album_id IS NOT NULL
                    """, columns: "album", then: selection.terms)
        }
        return try page(selection, of: query, total: matches?.total) { try albumItems(ids: $0) }
    }

    /// An album with its tracks; nil if it does not exist or has no available track.
    package func album(id: Int) throws -> AlbumItem? {
        guard var album = try albumItem(id: id) else { return nil }
        var query = CatalogueQuery(sort: TrackSort.album, limit: CatalogueLimits.largestPage)
        query.albumID = id
        album.tracks = try tracks(query).items
        return album
    }

    /// An album without its tracks; nil if it does not exist or has no available track.
    package func albumItem(id: Int) throws -> AlbumItem? { try albumItems(ids: [id]).first }

    /// The albums with some ids, without their tracks, in the order of the ids; albums that do not exist or have no
    /// available track are left out.
    func albumItems(ids: [Int]) throws -> [AlbumItem] {
        let found = try database.fetchAll(
            """
            SELECT albums.id, albums.title, albums.is_compilation, count(*) AS track_count,
                total(analyses.duration_seconds) AS total_seconds, max(tracks.has_cover) AS has_any_cover,
                max(tracks.changed_at_ms) AS last_changed_at_ms, min(tracks.year) AS first_year,
                artists.id AS shown_artist_id, artists.name AS shown_artist, albums.is_loudness_current,
                albums.integrated_lufs, albums.loudness_range_lu, albums.sample_peak, albums.true_peak
            FROM tracks CROSS JOIN albums ON albums.id = tracks.album_id
            LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            LEFT JOIN artists ON artists.id = \(Self.artist)
            WHERE tracks.album_id IN (SELECT value FROM json_each(?)) AND tracks.unavailable_since_ms IS NULL
            GROUP BY albums.id
            """, [NumberList(ids)]
        ) { row in
            let changed: Int = try row["last_changed_at_ms"]
            let seconds: Double = try row["total_seconds"]
            var album = AlbumItem(
                id: try row["id"], title: try row["title"], isCompilation: try row["is_compilation"],
                trackCount: try row["track_count"], durationSeconds: seconds.rounded(in: .seconds),
                hasCover: try row["has_any_cover"],
                changedAt: Double(changed) / 1000)
            album.year = try row["first_year"]
            album.artistID = try row["shown_artist_id"]
            album.artist = try row["shown_artist"]
            if try row["is_loudness_current"] {
                let loudness: Double? = try row["integrated_lufs"]
                let range: Double? = try row["loudness_range_lu"]
                let samplePeak: Double? = try row["sample_peak"]
                let truePeak: Double? = try row["true_peak"]
                album.integratedLUFS = loudness?.rounded(in: .lufs)
                album.loudnessRangeLU = range?.rounded(in: .lu)
                album.samplePeakDBFS = samplePeak.flatMap(TrackItemRow.decibels)
                album.truePeakDBTP = truePeak.flatMap(TrackItemRow.decibels)
            }
            return album
        }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    // MARK: - As SQL

    private static let playable = "FROM tracks WHERE album_id = albums.id AND unavailable_since_ms IS NULL"
    private static let hasTracks = "EXISTS (SELECT 1 \(playable))"
    /// The plus keeps SQLite from scanning for the minimum year of all tracks before filtering by album.
    private static let year = "(SELECT min(+year) \(playable))"
    /// The album artist; if no tag specifies one, the artist that all tracks share.
    private static let artist = """
        coalesce(albums.artist_id,
            (SELECT CASE WHEN min(coalesce(artist_id, 0)) = max(coalesce(artist_id, 0)) THEN min(artist_id) END
                \(playable)))
        """

    private static func order(_ sort: AlbumSort) -> [String] {
        switch sort {
        case .title, .relevance: ["albums.title_sort"]
        case .artist: ["(SELECT name_sort FROM artists WHERE id = \(artist))", "albums.title_sort"]
        case .year: [year, "albums.title_sort"]
        case .added: []
        }
    }

    /// First selects candidates by index, then checks their artist.
    private static func narrow(_ selection: inout CatalogueSelection, toArtist id: Int) {
        selection.narrow(
            """
            albums.id IN (SELECT id FROM albums WHERE artist_id = ?
                UNION SELECT album_id FROM tracks WHERE artist_id = ?) AND \(artist) = ?
            """, id, id, id)
    }

    /// Number of albums of an artist.
    func albumCount(artistID: Int) throws -> Int {
        var selection = CatalogueSelection("albums", where: Self.hasTracks)
        Self.narrow(&selection, toArtist: artistID)
        return try count(selection)
    }
}
