internal import MusicShared
package import SQLiteDatabase

/// A consistent snapshot of the catalogue.
///
/// Only for use within one transaction, while nothing else uses the connection.
package struct CatalogueReader {
    /// The library.
    package let database: Database

    /// Evaluates smart playlists; without it, they have no tracks.
    let smart: (any SmartPlaylistSource)?

    /// Creates a reader for a library, or a copy of one.
    package init(database: Database, smart: (any SmartPlaylistSource)? = nil) {
        self.database = database
        self.smart = smart
    }

    /// The identity of the library: random, created with its database and never changed.
    ///
    /// Track ids are only valid within one library; clients store this identity with them.
    package var libraryID: String {
        get throws {
            let epoch: String? = try database.scalar("SELECT epoch FROM library_state WHERE id = 1")
            guard let epoch else {
                throw DatabaseError(
                    .corrupt, message: "the library has no identity", path: database.path)
            }
            return epoch
        }
    }

    /// Identifies the state of the library: unchanged as long as nothing in it changes, never reused, and
    /// different in another library.
    package var revision: String {
        get throws {
            let revision: String? = try database.scalar(
                "SELECT epoch || '.' || revision FROM library_state WHERE id = 1")
            guard let revision else {
                throw DatabaseError(
                    .corrupt, message: "the library has no revision", path: database.path)
            }
            return revision
        }
    }

    /// Names the state by the revision of the library and of the catalogue: a restored library counts on from an earlier
    /// revision, and other programs do not raise it.
    package var state: String {
        get throws {
            let newest: String? = try database.scalar(
                "SELECT revision || '.' || mark FROM catalogue_changes ORDER BY revision DESC LIMIT 1")
            return "\(try revision)-\(newest ?? "")"
        }
    }

    /// Number of available tracks.
    package var trackCount: Int {
        get throws { try count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL", []) }
    }

    /// The number of items of a selection, counted once for each revision of the library.
    func count(_ selection: CatalogueSelection) throws -> Int {
        try count(
            "SELECT count(*) FROM \(selection.source) WHERE \(selection.condition)", selection.arguments)
    }

    /// The number that a query returns, computed once for each revision of the library.
    func count(_ sql: String, _ arguments: [(any DatabaseBindable)?]) throws -> Int {
        try remembered(sql, arguments) { [try database.scalar(sql, arguments) ?? 0] }.first ?? 0
    }

    /// Whether a selection has at least some items.
    func has(atLeast number: Int, _ selection: CatalogueSelection) throws -> Bool {
        let found: Int? = try database.scalar(
            """
            SELECT count(*) FROM (SELECT 1 FROM \(selection.source) WHERE \(selection.condition) LIMIT ?)
            """, selection.arguments + [number])
        return (found ?? 0) >= number
    }

    /// Returns the numbers that a query without arguments finds, from memory if it was answered in the library's current state.
    func remembered(_ sql: String) throws -> [Int] { try remembered(sql, []) { try database.values(sql) } }

    /// Returns the numbers that a query finds, from memory if it was answered in the library's current state.
    func remembered(
        _ sql: String, _ arguments: [(any DatabaseBindable)?], find: () throws -> [Int]
    ) throws -> [Int] {
        // A connection that writes may see changes that have not raised the revision yet.
        guard database.isReadOnly else { return try find() }
        let key = ListMemo.Key(state: try state, sql: sql, arguments: arguments)
        if let known = ListMemo.shared[key] { return known }
        let found = try find()
        ListMemo.shared[key] = found
        return found
    }

    /// The ids of a page. Details are read only for the items of the page, not for all items before it.
    ///
    /// Where an index has the list's order, a page is looked for from the nearer end. Other lists have to be sorted as a
    /// whole: then their order is kept for the other pages.
    func ids<Sort>(_ selection: CatalogueSelection, of query: CatalogueQuery<Sort>) throws -> [Int] {
        let list = "SELECT \(selection.id) FROM \(selection.source) WHERE \(selection.condition)"
        func ordered(_ isDescending: Bool) -> String {
            "\(list) ORDER BY \(selection.order(isDescending: isDescending))"
        }
        let arguments = selection.arguments + selection.termArguments
        if selection.isInIndexOrder {
            let rest = query.offset < Self.nearOffset ? Int.max : try count(selection) - query.offset
            guard rest > 0 else { return [] }
            guard rest < query.offset else {
                return try database.values(
                    "\(ordered(query.isDescending)) LIMIT ? OFFSET ?",
                    arguments + [query.limit, query.offset])
            }
            let limit = min(query.limit, rest)
            let backwards: [Int] = try database.values(
                "\(ordered(!query.isDescending)) LIMIT ? OFFSET ?", arguments + [limit, rest - limit])
            return backwards.reversed()
        }
        let sql = ordered(query.isDescending)
        guard !selection.isShort, database.isReadOnly else {
            return try database.values("\(sql) LIMIT ? OFFSET ?", arguments + [query.limit, query.offset])
        }
        let isNear = query.offset + query.limit <= Self.firstItems
        let known = try remembered(isNear ? "\(sql) LIMIT \(Self.firstItems)" : sql, arguments) {
            try database.values(isNear ? "\(sql) LIMIT \(Self.firstItems)" : sql, arguments)
        }
        return Array(known.dropFirst(query.offset).prefix(query.limit))
    }

    /// Of a list that has to be sorted, this many items are found at once: fewer than all take less time and memory.
    static let firstItems = 500

    /// Up to this offset, a page is not looked for from the other end, which needs the number of all items.
    private static let nearOffset = 1_000

    /// A page of a selection, with the total number of items unless that is known.
    func page<Sort, Item>(
        _ selection: CatalogueSelection, of query: CatalogueQuery<Sort>, total: Int? = nil,
        items: ([Int]) throws -> [Item]
    ) throws -> CataloguePage<Item> {
        CataloguePage(
            items: try items(ids(selection, of: query)), total: try total ?? count(selection),
            limit: query.limit, offset: query.offset)
    }
}
