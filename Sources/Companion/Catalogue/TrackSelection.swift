internal import SQLiteDatabase
internal import Tagging

/// Some of the tracks that can be played: those that one of the lists names, all where the lists are empty.
public struct TrackSelection: Sendable, Equatable {
    /// Albums of the catalogue.
    public var albumIDs: [Int] = []
    /// Artists of the catalogue: of the track, or of its album.
    public var artistIDs: [Int] = []
    /// Tracks.
    public var trackIDs: [Int] = []
    /// Paths in the music folder.
    public var paths: [RelativePath] = []

    /// Selects all.
    public init() {}

    /// The most names of all lists together: each is a variable of a statement.
    public static let largestCount = 10_000

    /// How many names the lists hold.
    public var count: Int { albumIDs.count + artistIDs.count + trackIDs.count + paths.count }
}

extension LibraryStore {
    /// Tracks of a selection in the order of their ids.
    /// - Parameters:
    ///   - id: only tracks of larger ids.
    ///   - limit: the most tracks.
    public func tracks(of selection: TrackSelection, after id: Int, limit: Int) throws -> [CatalogueTrack] {
        var alternatives: [String] = []
        var arguments: [(any DatabaseBindable)?] = [id]
        func add(_ values: [any DatabaseBindable], _ condition: (String) -> String) {
            guard !values.isEmpty else { return }
            let marks = Array(repeating: "?", count: values.count).joined(separator: ",")
            alternatives.append(condition(marks))
            arguments += values.map { $0 }
        }
        add(selection.albumIDs) { "album_id IN (\($0))" }
        add(selection.artistIDs) { "artist_id IN (\($0))" }
        add(selection.artistIDs) { "album_id IN (SELECT id FROM albums WHERE artist_id IN (\($0)))" }
        add(selection.trackIDs) { "id IN (\($0))" }
        add(selection.paths.map(\.text)) { "relative_path IN (\($0))" }
        let condition = alternatives.isEmpty ? "" : "AND (\(alternatives.joined(separator: " OR ")))"
        return try read { database in
            try database.fetchAll(
                """
                SELECT * FROM tracks WHERE id > ? AND unavailable_since_ms IS NULL \(condition)
                ORDER BY id LIMIT ?
                """, arguments + [limit], TrackRow.track)
        }
    }

    /// The tracks of an album of the catalogue that can be played.
    public func tracks(albumID: Int) throws -> [CatalogueTrack] {
        var selection = TrackSelection()
        selection.albumIDs = [albumID]
        return try tracks(of: selection, after: 0, limit: Int(Int32.max))
    }

    /// Tracks whose tags name the same album, in the same folder, whatever artist; the folders of discs count as one.
    /// - Parameter limit: the most tracks of that album title that are looked at.
    func companions(of track: CatalogueTrack, limit: Int = 5_000) throws -> [CatalogueTrack] {
        guard let album = track.tags.album else { return [] }
        let folder = AlbumGrouping.albumFolder(track.path)
        let sameTitle = try read { database in
            try database.fetchAll(
                """
                SELECT * FROM tracks WHERE unavailable_since_ms IS NULL AND album_sort = ? LIMIT ?
                """, [SortKey.key(album), limit], TrackRow.track)
        }
        // Of a part nothing certain can be said.
        guard sameTitle.count < limit else { return [] }
        return sameTitle.filter {
            AlbumGrouping.albumFolder($0.path) == folder
                && $0.tags.album.map(AlbumGrouping.folded) == AlbumGrouping.folded(album)
        }
    }
}
