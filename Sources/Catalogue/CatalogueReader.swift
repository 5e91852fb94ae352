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

    func count(_ selection: CatalogueSelection) throws -> Int {
        try database.scalar(
            "SELECT count(*) FROM \(selection.source) WHERE \(selection.condition)", selection.arguments) ?? 0
    }

    /// The ids of a page. Details are read only for the items of the page, not for all items before it.
    func ids<Sort>(_ selection: CatalogueSelection, of query: CatalogueQuery<Sort>) throws -> [Int] {
        try database.values(
            """
            SELECT \(selection.table).id FROM \(selection.source) WHERE \(selection.condition)
            ORDER BY \(selection.order(isDescending: query.isDescending)) LIMIT ? OFFSET ?
            """, selection.arguments + selection.termArguments + [query.limit, query.offset])
    }

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
