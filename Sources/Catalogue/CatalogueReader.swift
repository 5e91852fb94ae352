internal import MusicShared
public import SQLiteDatabase

/// One look at the catalogue: all that is read through it is of the same moment.
///
/// Only for use while nobody else uses the connection, and within one transaction.
public struct CatalogueReader {
    /// The library.
    public let database: Database

    /// Reads a library, or a copy of one.
    public init(database: Database) { self.database = database }

    /// A name for the state of the library: the same as long as nothing in it changes, never used again afterwards, and
    /// different in another library.
    public var revision: String {
        get throws {
            let revision: String? = try database.scalar(
                "SELECT epoch || '.' || revision FROM library_state WHERE id = 1")
            guard let revision else {
                throw DatabaseError(
                    .corrupt, message: "the library does not know its revision", path: database.path)
            }
            return revision
        }
    }

    func count(_ selection: CatalogueSelection) throws -> Int {
        try database.scalar(
            "SELECT count(*) FROM \(selection.source) WHERE \(selection.condition)", selection.arguments) ?? 0
    }

    /// The ids of a page. Only ids: what belongs to them is read for the page alone, not for all that comes before it.
    func ids<Sort>(_ selection: CatalogueSelection, of query: CatalogueQuery<Sort>) throws -> [Int] {
        try database.fetchAll(
            """
            SELECT \(selection.table).id FROM \(selection.source) WHERE \(selection.condition)
            ORDER BY \(selection.order(isDescending: query.isDescending)) LIMIT ? OFFSET ?
            """, selection.arguments + [query.limit, query.offset]
        ) { row in try row[0] }
    }

    /// A page of a selection, with how many there are in all, unless that is known.
    func page<Sort, Item>(
        _ selection: CatalogueSelection, of query: CatalogueQuery<Sort>, total: Int? = nil,
        item: (Int) throws -> Item?
    ) throws -> CataloguePage<Item> {
        CataloguePage(
            items: try ids(selection, of: query).compactMap(item), total: try total ?? count(selection),
            limit: query.limit, offset: query.offset)
    }

    /// Narrows a selection to what has a text: its words first; where nothing has them, the text as it stands, for scripts
    /// without spaces and names of signs.
    /// - Returns: how many have the words; nil where none has, or nothing is searched for.
    func search(
        _ text: String?, in selection: inout CatalogueSelection,
        byWords: (inout CatalogueSelection, String) -> Void,
        byPattern: (inout CatalogueSelection, String) -> Void
    ) throws -> Int? {
        guard let text else { return nil }
        let search = SearchText(text)
        if let words = search.fullText {
            var found = selection
            byWords(&found, words)
            let count = try count(found)
            if count > 0 {
                selection = found
                return count
            }
        }
        byPattern(&selection, search.pattern)
        return nil
    }
}
