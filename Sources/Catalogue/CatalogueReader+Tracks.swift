package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns a page of the available tracks.
    package func tracks(_ query: CatalogueQuery<TrackSort>) throws -> CataloguePage<TrackItem> {
        let (ids, total) = try trackPage(query)
        return CataloguePage(
            items: try tracks(ids: ids), total: total, limit: query.limit, offset: query.offset)
    }

    /// The ids of a page, and the number of all tracks of the list.
    func trackPage(_ query: CatalogueQuery<TrackSort>) throws -> (ids: [Int], total: Int) {
        if query.artistID != nil || query.albumID != nil {
            let selection = try narrowSelection(query)
            return (try ids(selection, of: query), try count(selection))
        }
        var members = TrackMembers(query)
        guard let text = query.text else { return try trackPage(members, of: query) }
        let search = SearchText(text)
        var selection = try members.selection(self)
        let matches = try self.search(text, in: &selection) {
            $0.narrow("tracks_fts MATCH ?", $1)
        } byPattern: { _, _ in
        }
        guard let words = matches?.words else {
            members.add(Self.withTexts, [search.pattern, search.pattern, search.pattern])
            return try trackPage(members, of: query)
        }
        if query.sort == .relevance, let matches, !words.isEmpty {
            return try rankedPage(search, matches, selection, members, of: query)
        }
        guard !words.isEmpty else { return ([], 0) }
        members.add("SELECT rowid AS id FROM tracks_fts WHERE tracks_fts MATCH ?", [words])
        return try trackPage(members, of: query)
    }

    /// A page of a search, the best matches first.
    private func rankedPage(
        _ search: SearchText, _ matches: SearchMatches, _ selection: CatalogueSelection,
        _ members: TrackMembers,
        of query: CatalogueQuery<TrackSort>
    ) throws -> (ids: [Int], total: Int) {
        let total = try count(selection)
        var selection = selection
        guard total <= Self.mostRanked else {
            if members.isEmpty, !query.isDescending, let words = matches.words {
                return (try ids(BroadSearch(words: words, text: search), of: query), total)
            }
            return (try ids(selection, of: query), total)
        }
        // Titles are in the tracks' own rows, which are far apart: they are read for few tracks only.
        let title =
            total <= Self.mostWithTitle ? ["(SELECT title_sort FROM tracks WHERE id = tracks_fts.rowid)"] : []
        rank(
            &selection, matches, wholeWords: "SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH ?",
            columns: "title artist album album_artist composer genre",
            then: matches.wholeWords == nil ? title : ["bm25(tracks_fts, 10, 5, 4, 3, 1, 1, 0.5)"] + title)
        return (try ids(selection, of: query), total)
    }

    /// More matches than this are not ranked one by one.
    private static let mostRanked = 2_000
    /// Of more matches than this, equally good ones are in the order of their ids instead of their titles.
    private static let mostWithTitle = 300

    /// A page of the tracks that are in some sets.
    private func trackPage(
        _ members: TrackMembers, of query: CatalogueQuery<TrackSort>
    ) throws -> (ids: [Int], total: Int) {
        let total = members.isEmpty ? nil : try members.count(self)
        // Few tracks are found and sorted. Of many, an index has the order, and the others are passed over. The plus keeps the
        // planner from the latter.
        let isFew = try total.map { try isFewer($0) } ?? false
        var selection = CatalogueSelection(
            "tracks", where: "\(isFew ? "+" : "")tracks.unavailable_since_ms IS NULL")
        selection.terms = Self.order(query.sort)
        guard let total else {
            selection.isInIndexOrder = true
            return (try ids(selection, of: query), try count(selection))
        }
        members.narrow(&selection, isFew: isFew)
        return (try ids(selection, of: query), total)
    }

    /// Whether a number of members are found and sorted sooner than an index has enough of them for the first pages: reading a track's row
    /// takes about as long as passing over three entries of the index.
    private func isFewer(_ members: Int) throws -> Bool {
        guard members > Self.mostRanked else { return true }
        let all = try count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL", [])
        return 3 * members * members < Self.firstItems * all
    }

    /// The few tracks of an artist or an album.
    private func narrowSelection(_ query: CatalogueQuery<TrackSort>) throws -> CatalogueSelection {
        // The plus keeps the planner from scanning all tracks in order.
        var selection = CatalogueSelection("tracks", where: "+tracks.unavailable_since_ms IS NULL")
        selection.isShort = true
        if let artist = query.artistID { selection.narrow("tracks.artist_id = ?", artist) }
        if let album = query.albumID { selection.narrow("tracks.album_id = ?", album) }
        if let genre = query.genre { selection.narrow("tracks.genre = ? COLLATE NOCASE", genre) }
        if let year = query.year { selection.narrow("+tracks.year = ?", year) }
        if let year = query.fromYear { selection.narrow("+tracks.year >= ?", year) }
        if let year = query.toYear { selection.narrow("+tracks.year <= ?", year) }
        let matches = try search(query.text, in: &selection) { selection, words in
            selection.narrow("+tracks.id IN (SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH ?)", words)
        } byPattern: { selection, pattern in
            selection.narrow("+tracks.id IN (\(Self.withTexts))", pattern, pattern, pattern)
        }
        selection.terms = Self.order(query.sort)
        if query.sort == .relevance, let matches {
            rank(
                &selection, matches, wholeWords: "SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH ?",
                columns: "title artist album album_artist composer genre", then: selection.terms)
        }
        return selection
    }

    /// SQL that selects the tracks that contain a text, the three placeholders, in title, artist or album. The index of titles
    /// has the file name of tracks without one.
    private static let withTexts = """
        SELECT id FROM tracks INDEXED BY tracks_ordered_by_title
        WHERE unavailable_since_ms IS NULL AND title_sort LIKE ? ESCAPE '\\'
        UNION SELECT id FROM tracks WHERE artist_id IN (SELECT id FROM artists WHERE name LIKE ? ESCAPE '\\')
        UNION SELECT id FROM tracks WHERE album_id IN (SELECT id FROM albums WHERE title LIKE ? ESCAPE '\\')
        """

    /// The track with an id; nil if not found. Includes unavailable tracks.
    package func track(id: Int) throws -> TrackItem? {
        try database.fetchOne("\(TrackItemRow.query) WHERE tracks.id = ?", [id], TrackItemRow.item)
    }

    /// The tracks with some ids, in the order of the ids; ids that do not exist are left out. Includes unavailable tracks.
    package func tracks(ids: [Int]) throws -> [TrackItem] {
        // One query: a page of a list has hundreds of tracks.
        let found = try database.fetchAll(
            "\(TrackItemRow.query) WHERE tracks.id IN (SELECT value FROM json_each(?))", [NumberList(ids)],
            TrackItemRow.item)
        return found.inOrder(of: ids)
    }

    /// The formats of the analysed files of some tracks.
    package func formats(ofTracks ids: [Int]) throws -> Set<AudioFormat> {
        let names: [String] = try database.values(
            """
            SELECT DISTINCT analyses.format FROM tracks JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            WHERE tracks.id IN (SELECT value FROM json_each(?))
            """, [NumberList(ids)])
        return Set(names.compactMap(AudioFormat.init(rawValue:)))
    }

    /// Returns the first 32 bytes of the frame indexes of those tracks that are of a format.
    package func frameIndexHeads(ofTracks ids: [Int], format: AudioFormat) throws -> [[UInt8]] {
        try database.values(
            """
            SELECT substr(analysis_details.frame_index, 1, 32)
            FROM tracks JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            JOIN analysis_details ON analysis_details.audio_hash = analyses.audio_hash
            WHERE tracks.id IN (SELECT value FROM json_each(?)) AND analyses.format = ?
            """, [NumberList(ids), format.rawValue])
    }

    private static func order(_ sort: TrackSort) -> [String] {
        let inAlbum = [
            "tracks.album_sort", "tracks.album_id", "tracks.disc_number", "tracks.track_number",
        ]
        switch sort {
        case .title, .relevance: return ["tracks.title_sort"]
        case .artist: return ["tracks.artist_sort"] + inAlbum
        case .album: return inAlbum
        case .added: return ["tracks.added_at_ms"]
        case .year: return ["tracks.year"]
        case .duration: return ["tracks.duration_sort"]
        case .bpm: return ["tracks.bpm_sort"]
        }
    }
}
