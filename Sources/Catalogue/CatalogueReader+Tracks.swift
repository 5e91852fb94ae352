package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns a page of the available tracks.
    package func tracks(_ query: CatalogueQuery<TrackSort>) throws -> CataloguePage<TrackItem> {
        let (selection, total) = try trackSelection(query)
        return try page(selection, of: query, total: total) { try tracks(ids: $0) }
    }

    /// Returns the rows of a query with their order, and their number if a search has counted them.
    func trackSelection(
        _ query: CatalogueQuery<TrackSort>
    ) throws -> (selection: CatalogueSelection, total: Int?) {
        var selection = Self.selection(query)
        let matches = try search(query.text, in: &selection) { selection, words in
            selection.source = "tracks_fts CROSS JOIN tracks ON tracks.id = tracks_fts.rowid"
            selection.narrow("tracks_fts MATCH ?", words)
        } byPattern: { selection, pattern in
            let columns = ["title", "artist", "album", "relative_path"]
            selection.narrow(
                "(" + columns.map { "tracks.\($0) LIKE ? ESCAPE '\\'" }.joined(separator: " OR ") + ")",
                pattern, pattern, pattern, pattern)
        }
        selection.terms = Self.order(query.sort)
        if query.sort == .relevance, let matches, matches.wholeWords != nil {
            rank(
                &selection, matches,
                wholeWords: "SELECT rowid FROM tracks_fts WHERE tracks_fts MATCH ?",
                columns: "title artist album album_artist composer genre",
                then: ["bm25(tracks_fts, 10, 5, 4, 3, 1, 1, 0.5)", "tracks.title_sort"])
        }
        // The plus again avoids an ordered scan, here for the few tracks of a year.
        if query.year != nil, let first = selection.terms.first { selection.terms[0] = "+\(first)" }
        return (selection, matches?.total)
    }

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
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
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

    private static func selection(_ query: CatalogueQuery<TrackSort>) -> CatalogueSelection {
        let isNarrow =
            query.text != nil || query.artistID != nil || query.albumID != nil || query.genre != nil
        // The plus keeps the planner from scanning all tracks in order if an index finds the few that match.
        var selection = CatalogueSelection(
            "tracks", where: "\(isNarrow ? "+" : "")tracks.unavailable_since_ms IS NULL")
        if let artist = query.artistID { selection.narrow("tracks.artist_id = ?", artist) }
        if let album = query.albumID { selection.narrow("tracks.album_id = ?", album) }
        if let genre = query.genre { selection.narrow("tracks.genre = ? COLLATE NOCASE", genre) }
        if let year = query.year { selection.narrow("tracks.year = ?", year) }
        return selection
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
        case .duration: return [measured("duration_seconds")]
        case .bpm: return [measured("bpm")]
        }
    }

    /// A value of the track's analysis. The index is named because SQLite would otherwise use the unique
    /// index on the hash and then read the row itself.
    private static func measured(_ column: String) -> String {
        "(SELECT \(column) FROM analyses INDEXED BY analyses_sorted WHERE audio_hash = tracks.audio_hash)"
    }
}
