package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns the names of artists by their ids.
    package func artistNames(ids: [Int]) throws -> [Int: String] {
        var names: [Int: String] = [:]
        try database.forEach(
            "SELECT id, name FROM artists WHERE id IN (SELECT value FROM json_each(?))", [NumberList(ids)]
        ) { row in
            let id: Int = try row["id"]
            names[id] = try row["name"]
        }
        return names
    }

    /// Returns a page of the artists who have an available track or album.
    package func artists(_ query: CatalogueQuery<ArtistSort>) throws -> CataloguePage<ArtistItem> {
        var selection = CatalogueSelection("artists", where: Self.hasWorks)
        selection.isInIndexOrder = query.text == nil
        let matches = try search(query.text, in: &selection) { selection, words in
            selection.narrow("artists.id IN (\(Self.named))", words)
        } byPattern: { selection, pattern in
            selection.narrow("artists.name LIKE ? ESCAPE '\\'", pattern)
        }
        if query.sort != .added { selection.terms = ["artists.name_sort"] }
        if query.sort == .relevance, let matches {
            rank(
                &selection, matches,
                wholeWords: Self.named, columns: "name", then: selection.terms)
        }
        return try page(selection, of: query) { try artistItems(ids: $0) }
    }

    /// All artists who have an available track or album, by name.
    package func allArtists() throws -> [ArtistItem] {
        try database.fetchAll(
            "\(Self.itemQuery) WHERE \(Self.hasWorks) ORDER BY name_sort, id", [], Self.item)
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
    package func artistItem(id: Int) throws -> ArtistItem? { try artistItems(ids: [id]).first }

    /// The artists with some ids, without albums, in the order of the ids; artists that do not exist or have no available
    /// track or album are left out.
    package func artistItems(ids: [Int]) throws -> [ArtistItem] {
        let found = try database.fetchAll(
            "\(Self.itemQuery) WHERE id IN (SELECT value FROM json_each(?)) AND \(Self.hasWorks)",
            [NumberList(ids)], Self.item)
        return found.inOrder(of: ids)
    }

    // MARK: - As SQL

    private static let itemQuery = "SELECT id, name, track_count, album_count FROM artists"
    private static let hasWorks = "artists.track_count + artists.album_count > 0"
    /// The artists in whose name an expression, the placeholder, matches.
    private static let named = "SELECT rowid FROM artists_fts WHERE artists_fts MATCH ?"

    private static func item(_ row: borrowing Row) throws -> ArtistItem {
        ArtistItem(
            id: try row["id"], name: try row["name"], trackCount: try row["track_count"],
            albumCount: try row["album_count"])
    }
}
