internal import MusicShared
internal import SQLiteDatabase

/// Sets of tracks, each the result of a query that an index answers alone; a list shows the tracks that are in all of them.
///
/// The rows of tracks are wide and far apart: reading one for each member of a set takes most of the time of a list.
struct TrackMembers {
    private struct Members {
        let sql: String
        let arguments: [(any DatabaseBindable)?]
    }

    private var sets: [Members] = []

    /// The sets of a query's genre and years.
    init(_ query: CatalogueQuery<TrackSort>) {
        // Each combination has an index.
        var conditions = ["unavailable_since_ms IS NULL"]
        var arguments: [(any DatabaseBindable)?] = []
        func narrow(_ condition: String, to value: (any DatabaseBindable)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments.append(value)
        }
        narrow("genre = ? COLLATE NOCASE", to: query.genre)
        narrow("year = ?", to: query.year)
        narrow("year >= ?", to: query.fromYear)
        narrow("year <= ?", to: query.toYear)
        guard !arguments.isEmpty else { return }
        add("SELECT id FROM tracks WHERE \(conditions.joined(separator: " AND "))", arguments)
    }

    var isEmpty: Bool { sets.isEmpty }

    /// Adds the set that a query of one column `id` selects.
    mutating func add(_ sql: String, _ arguments: [(any DatabaseBindable)?]) {
        sets.append(Members(sql: sql, arguments: arguments))
    }

    /// The number of available tracks that are in all sets.
    func count(_ reader: CatalogueReader) throws -> Int {
        guard let first = sets.first else { return 0 }
        let others = sets.dropFirst().map { " AND id IN (\($0.sql))" }.joined()
        return try reader.count(
            "SELECT count(*) FROM (\(first.sql)) WHERE \(try reader.isAvailable("id"))\(others)",
            sets.flatMap(\.arguments))
    }

    /// Narrows a selection of tracks to those that are in all sets.
    /// - Parameter isFew: whether to look the members up, instead of reading all tracks in an index's order.
    func narrow(_ selection: inout CatalogueSelection, isFew: Bool) {
        for set in sets {
            selection.narrow("\(isFew ? "" : "+")tracks.id IN (\(set.sql))", arguments: set.arguments)
        }
        if isFew { selection.terms = selection.terms.map { "+\($0)" } }
    }

    /// A selection from the search index, of the available tracks that are in all sets.
    func selection(_ reader: CatalogueReader) throws -> CatalogueSelection {
        var selection = CatalogueSelection("tracks", where: try reader.isAvailable("tracks_fts.rowid"))
        selection.source = "tracks_fts"
        for set in sets { selection.narrow("+tracks_fts.rowid IN (\(set.sql))", arguments: set.arguments) }
        return selection
    }
}

extension CatalogueReader {
    /// SQL condition: the track with an id is available. Usually all are: then nothing needs to be read.
    func isAvailable(_ id: String) throws -> String {
        let missing: Int? = try database.scalar(
            "SELECT 1 FROM tracks WHERE unavailable_since_ms IS NOT NULL LIMIT 1")
        return missing == nil
            ? "1" : "+\(id) NOT IN (SELECT id FROM tracks WHERE unavailable_since_ms IS NOT NULL)"
    }
}
