package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns a page of the albums that have an available track.
    ///
    /// A search covers title, album artist and artists; genre and year are those of the tracks and of the
    /// album.
    package func albums(_ query: CatalogueQuery<AlbumSort>) throws -> CataloguePage<AlbumItem> {
        var selection = CatalogueSelection("albums", where: Self.hasTracks)
        if let artist = query.artistID { selection.narrow("albums.shown_artist_id = ?", artist) }
        if let year = query.year { selection.narrow("albums.first_year = ?", year) }
        if let genre = query.genre {
            selection.narrow("albums.id IN (SELECT album_id FROM album_genres WHERE genre = ?)", genre)
        }
        let isWhole = selection.isWhole
        if isWhole, let text = query.text, query.sort == .title || query.sort == .relevance,
            let found = try albumIDs(matchingOften: SearchText(text), isRanked: query.sort == .relevance)
        {
            let ids = (query.isDescending ? found.reversed() : found).dropFirst(query.offset).prefix(
                query.limit)
            return CataloguePage(
                items: try albumItems(ids: Array(ids)), total: found.count, limit: query.limit,
                offset: query.offset)
        }
        selection.isInIndexOrder = isWhole && query.text == nil
        selection.isShort = query.artistID != nil
        let matches = try search(query.text, in: &selection) { selection, words in
            selection.narrow("albums.id IN (\(Self.credited))", words)
        } byPattern: { selection, pattern in
            selection.narrow("albums.title LIKE ? ESCAPE '\\'", pattern)
        }
        selection.terms = Self.order(query.sort)
        var total: Int?
        if isWhole, let words = matches?.words, !words.isEmpty {
            // Only albums with tracks have names to search: their rows need not be read.
            total = try count("SELECT count(DISTINCT album_id) FROM (\(Self.credited))", [words])
        }
        if query.text != nil, !isWhole, !selection.isShort, query.sort == .title || query.sort == .relevance,
            try has(atLeast: Self.many, selection)
        {
            // It has all that is needed to find many albums; rows are read for those of the page only.
            selection.source = "albums INDEXED BY albums_listed_by_title"
        }
        if query.sort == .relevance, let matches {
            rank(
                &selection, matches,
                wholeWords: Self.credited, columns: "album", then: selection.terms)
        }
        return try page(selection, of: query, total: total) { try albumItems(ids: $0) }
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
    package func albumItems(ids: [Int]) throws -> [AlbumItem] {
        let found = try database.fetchAll(
            """
            SELECT albums.id, albums.title, albums.is_compilation, albums.track_count,
                total(tracks.duration_sort) AS total_seconds, max(tracks.has_cover) AS has_any_cover,
                max(tracks.changed_at_ms) AS last_changed_at_ms, albums.first_year,
                albums.shown_artist_id, artists.name AS shown_artist, albums.is_loudness_current,
                albums.integrated_lufs, albums.loudness_range_lu, albums.sample_peak, albums.true_peak
            FROM albums CROSS JOIN tracks ON tracks.album_id = albums.id
            LEFT JOIN artists ON artists.id = albums.shown_artist_id
            WHERE albums.id IN (SELECT value FROM json_each(?)) AND +tracks.unavailable_since_ms IS NULL
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
        return found.inOrder(of: ids)
    }

    // MARK: - Searches with many matches

    /// The albums that match a text, by title, if many names do; nil otherwise.
    ///
    /// The search index only has numbers of names. Reading each name's row for its album, and each album's for its title, would take most of
    /// the time, so both are kept in memory until the library changes.
    /// - Parameter isRanked: whether albums with all words of the text in their title, as whole words, come first.
    private func albumIDs(matchingOften text: SearchText, isRanked: Bool) throws -> [Int]? {
        guard let words = text.fullText, let whole = text.wholeWords else { return nil }
        let names = try nameIDs(matching: words)
        guard names.count >= Self.many else { return nil }
        let listed = try remembered(Self.listed)
        let isMatching = try albums(ofNames: names)
        let matching = listed.filter(isMatching.contains)
        guard isRanked else { return matching }
        let isFirst = try albums(ofNames: nameIDs(matching: "{album} : (\(whole))"))
        return matching.filter(isFirst.contains) + matching.filter { !isFirst.contains($0) }
    }

    /// The rows of `album_credits` in which an expression matches, in ascending order.
    private func nameIDs(matching expression: String) throws -> [Int] {
        try database.values(
            "SELECT rowid FROM album_credits_fts WHERE album_credits_fts MATCH ? ORDER BY rowid", [expression]
        )
    }

    /// The albums to which rows of `album_credits`, in ascending order, belong.
    private func albums(ofNames names: [Int]) throws -> NumberSet {
        let known = try remembered("SELECT id FROM album_credits ORDER BY id")
        let albums = try remembered("SELECT album_id FROM album_credits ORDER BY id")
        var found = NumberSet(upTo: albums.max() ?? 0)
        var row = 0
        for name in names {
            while row < known.count, known[row] < name { row += 1 }
            guard row < known.count else { break }
            if known[row] == name { found.insert(albums[row]) }
        }
        return found
    }

    /// A set of numbers from 0 to a largest one.
    private struct NumberSet {
        private var isMember: [Bool]

        init(upTo largest: Int) { isMember = [Bool](repeating: false, count: largest + 1) }

        mutating func insert(_ number: Int) { isMember[number] = true }

        func contains(_ number: Int) -> Bool { isMember.indices.contains(number) && isMember[number] }
    }

    // MARK: - As SQL

    /// The albums with tracks, by title.
    private static let listed = """
        SELECT id FROM albums INDEXED BY albums_listed_by_title WHERE \(hasTracks) ORDER BY title_sort, id
        """

    /// From this number of matches on, an index is read as a whole instead of the row of each.
    private static let many = 2_000
    private static let hasTracks = "albums.track_count > 0"
    /// The albums with names in which an expression, the placeholder, matches.
    private static let credited = """
        SELECT album_credits.album_id FROM album_credits_fts
        CROSS JOIN album_credits ON album_credits.id = album_credits_fts.rowid
        WHERE album_credits_fts MATCH ?
        """

    private static func order(_ sort: AlbumSort) -> [String] {
        switch sort {
        case .title, .relevance: ["albums.title_sort"]
        case .artist: ["albums.artist_sort", "albums.title_sort"]
        case .year: ["albums.first_year", "albums.title_sort"]
        case .added: []
        }
    }
}
