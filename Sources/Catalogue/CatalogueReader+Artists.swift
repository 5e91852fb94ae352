package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns a page of the artists who have an available track or album.
    package func artists(_ query: CatalogueQuery<ArtistSort>) throws -> CataloguePage<ArtistItem> {
        var selection = CatalogueSelection("artists", where: Self.hasWorks)
        let matches = try search(query.text, in: &selection) { selection, words in
            Self.narrow(&selection, toWords: words)
        } byPattern: { selection, pattern in
            selection.narrow("artists.name LIKE ? ESCAPE '\\'", pattern)
        }
        if query.sort != .added { selection.terms = ["artists.name_sort"] }
        if query.sort == .relevance, let matches {
            rank(
                &selection, matches,
                wholeWords: """
                    SELECT tracks.artist_id FROM tracks_fts
                    CROSS JOIN tracks ON tracks.id = tracks_fts.rowid
                    WHERE tracks_fts MATCH ? AND tracks.artist_id IS NOT NULL
                    """, columns: "artist", then: selection.terms)
        }
        return try page(selection, of: query, total: matches?.total) { ids in
            try ids.compactMap { try artistItem(id: $0) }
        }
    }

    /// An artist with their albums; nil if the artist does not exist or has no available track or album.
    package func artist(id: Int) throws -> ArtistItem? {
        guard var artist = try artistItem(id: id) else { return nil }
        var query = CatalogueQuery(sort: AlbumSort.year, limit: CatalogueLimits.largestPage)
        query.artistID = id
        artist.albums = try albums(query).items
        return artist
    }

    /// An artist without albums; nil if the artist does not exist or has no available track or album.
    package func artistItem(id: Int) throws -> ArtistItem? {
        try database.fetchOne(
            """
            SELECT artists.id, artists.name,
                (SELECT count(*) FROM tracks WHERE artist_id = artists.id AND +unavailable_since_ms IS NULL)
                    AS track_count
            FROM artists WHERE artists.id = ? AND \(Self.hasWorks)
            """, [id]
        ) { row in
            ArtistItem(
                id: try row["id"], name: try row["name"], trackCount: try row["track_count"],
                albumCount: try albumCount(artistID: id))
        }
    }

    private static let hasWorks = """
        (EXISTS (SELECT 1 FROM tracks WHERE artist_id = artists.id AND +unavailable_since_ms IS NULL)
            OR EXISTS (SELECT 1 FROM albums JOIN tracks ON tracks.album_id = albums.id
                WHERE albums.artist_id = artists.id AND tracks.unavailable_since_ms IS NULL))
        """

    /// Selects artists of tracks whose artist contains all words, and of albums whose album artist does.
    private static func narrow(_ selection: inout CatalogueSelection, toWords words: String) {
        func tracks(_ column: String) -> String {
            "SELECT \(column) FROM tracks_fts CROSS JOIN tracks ON tracks.id = tracks_fts.rowid"
        }
        selection.narrow(
            """
            artists.id IN (\(tracks("tracks.artist_id")) WHERE tracks_fts MATCH ?
                UNION \(tracks("tracks.artist_id")) WHERE tracks_fts MATCH ? AND tracks.artist IS NULL
                UNION \(tracks("albums.artist_id")) JOIN albums ON albums.id = tracks.album_id
                    WHERE tracks_fts MATCH ?)
            """, "{artist} : (\(words))", "{album_artist} : (\(words))", "{album_artist} : (\(words))")
    }
}
