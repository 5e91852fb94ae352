internal import Catalogue
internal import SQLiteDatabase

/// The values of all fields of all available tracks, in temporary tables of a connection that has the library attached.
///
/// A rule may compare any fields, so no index helps: every rule reads all tracks. In the library the values are spread
/// over tables of wide rows; reading those takes half a second for 100,000 tracks, reading these a twentieth. SQLite keeps
/// temporary tables in an unnamed file and a cache of 2 MB.
struct SmartRows {
    /// More changed tracks than this are not looked up one by one.
    private static let mostChanges = 10_000
    /// The most indexes: each makes changes of tracks slower.
    private static let mostIndexes = 4
    /// Indexes are for lists that have at least this share of all tracks.
    private static let leastShare = 0.25
    /// The number of tracks by which the share is estimated.
    private static let sampleSize = 400

    private var tracks: CatalogueRevision?
    private var listened: Int?
    /// The columns of the indexes, with their names.
    private var indexes: [(columns: String, name: String)] = []
    private var indexCount = 0

    /// Creates the tables.
    init(_ database: Database) throws {
        func columns(_ fields: [SmartField]) -> String {
            fields.map { field in
                "\"\(field.name)\"" + (field.order == nil ? "" : ", \"\(field.name):order\"")
            }.joined(separator: ", ")
        }
        try database.executeScript(
            """
            CREATE TEMP TABLE smart_rows (id INTEGER PRIMARY KEY, \(columns(Self.fields)), album_id);
            CREATE TEMP TABLE smart_listening (
                account_id INTEGER, track_id INTEGER, listened_id INTEGER, \(columns(SmartField.listening)),
                PRIMARY KEY (account_id, track_id)
            ) WITHOUT ROWID;
            CREATE INDEX smart_listening_by_track ON smart_listening (track_id);
            CREATE INDEX smart_listening_by_listened ON smart_listening (listened_id);
            """)
    }

    /// Brings the tables to the state of the databases.
    mutating func refresh(_ database: Database) throws {
        let reader = CatalogueReader(database: database)
        let current = try reader.catalogueRevision
        let last: Int = try database.scalar("SELECT max(number) FROM listened_changes") ?? 0
        if let known = tracks,
            let changed = try reader.changedTrackIDs(since: known, limit: Self.mostChanges)
        {
            try update(NumberList(changed), database)
        } else {
            // Filling a table is quicker without indexes.
            while !indexes.isEmpty { try removeOldestIndex(database) }
            try database.execute("DELETE FROM smart_rows")
            try database.execute(Self.insertion)
            listened = nil
        }
        tracks = current
        try refreshListening(from: listened, to: last, database)
        listened = last
    }

    /// Returns the query of a selection that takes the least time, and creates the index that it needs.
    mutating func quickest(_ selection: SmartQuery.Selection, _ database: Database) throws -> SmartSQL {
        guard let indexed = selection.indexed, try share(of: indexed, database) >= Self.leastShare else {
            return selection.tracks
        }
        if let known = indexes.first(where: { $0.columns == indexed.columns }) {
            return indexed.tracks(known.name)
        }
        if indexes.count == Self.mostIndexes { try removeOldestIndex(database) }
        indexCount += 1
        let name = "smart_order_\(indexCount)"
        try database.execute("CREATE INDEX temp.\(name) ON smart_rows (\(indexed.columns))")
        indexes.append((indexed.columns, name))
        return indexed.tracks(name)
    }

    private mutating func removeOldestIndex(_ database: Database) throws {
        try database.execute("DROP INDEX temp.\(indexes.removeFirst().name)")
    }

    /// Estimates the share of all tracks that match.
    private func share(of indexed: SmartQuery.Indexed, _ database: Database) throws -> Double {
        let ids: [Int] = try database.values(
            """
            WITH ends AS (SELECT min(id) AS low, max(id) - min(id) AS width FROM smart_rows),
            steps AS (SELECT 0 AS step UNION ALL SELECT step + 1 FROM steps WHERE step + 1 < ?1)
            SELECT DISTINCT (SELECT id FROM smart_rows WHERE id >= low + width * step / ?1 ORDER BY id LIMIT 1)
            FROM ends, steps WHERE low IS NOT NULL
            """, [Self.sampleSize])
        guard !ids.isEmpty else { return 0 }
        let matching: Int =
            try database.scalar(indexed.sample.text, indexed.sample.arguments + [NumberList(ids)]) ?? 0
        return Double(matching) / Double(ids.count)
    }

    private func update(_ changed: NumberList, _ database: Database) throws {
        let isChanged = "IN (SELECT value FROM json_each(?))"
        try database.execute("DELETE FROM smart_rows WHERE id \(isChanged)", [changed])
        try database.execute("\(Self.insertion) AND tracks.id \(isChanged)", [changed])
        try database.execute("DELETE FROM smart_listening WHERE track_id \(isChanged)", [changed])
        try database.execute("\(Self.listeningInsertion) AND tracks.id \(isChanged)", [changed])
    }

    private func refreshListening(from known: Int?, to last: Int, _ database: Database) throws {
        guard known != last else { return }
        // The log keeps the newest changes; without gaps, these are all.
        let oldest: Int = try database.scalar("SELECT min(number) FROM listened_changes") ?? 1
        guard let known, known < last, known >= oldest - 1 else {
            try database.execute("DELETE FROM smart_listening")
            try database.execute(Self.listeningInsertion)
            return
        }
        let isChanged = "IN (SELECT listened_id FROM listened_changes WHERE number > ?)"
        try database.execute("DELETE FROM smart_listening WHERE listened_id \(isChanged)", [known])
        try database.execute("\(Self.listeningInsertion) AND listened.id \(isChanged)", [known])
    }

    // MARK: - As SQL

    private static let fields = SmartField.all.filter { $0.source == .track }

    private static func expressions(_ fields: [SmartField]) -> String {
        fields.flatMap { [$0.expression] + ($0.order.map { [$0] } ?? []) }.joined(separator: ", ")
    }

    private static let insertion = """
        INSERT INTO smart_rows SELECT tracks.id, \(expressions(fields)), tracks.album_id
        FROM library.tracks LEFT JOIN library.analyses ON analyses.audio_hash = tracks.audio_hash
        WHERE +tracks.unavailable_since_ms IS NULL
        """

    private static let listeningInsertion = """
        INSERT OR REPLACE INTO smart_listening
        SELECT listened.account_id, tracks.id, listened.id, \(expressions(SmartField.listening))
        FROM listened CROSS JOIN library.tracks
            ON tracks.relative_path = listened.place AND tracks.audio_hash = listened.audio_hash
        WHERE listened.kind = 'track'
        """
}
