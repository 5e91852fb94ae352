internal import Catalogue
internal import SQLiteDatabase
internal import Tagging

/// A selection of available tracks: those named by any of the lists, or all tracks if the lists are empty.
package struct TrackSelection: Sendable, Equatable {
    /// Ids of albums in the catalogue.
    package var albumIDs: [Int] = []
    /// Ids of artists in the catalogue; selects their tracks and the tracks of their albums.
    package var artistIDs: [Int] = []
    /// Ids of tracks.
    package var trackIDs: [Int] = []
    /// Paths in the music folder.
    package var paths: [RelativePath] = []

    /// Selects all tracks.
    package init() {}

    /// Maximum number of entries in all lists together: each entry is a variable of an SQL statement.
    package static let largestCount = 10_000

    /// Number of entries in all lists.
    package var count: Int { albumIDs.count + artistIDs.count + trackIDs.count + paths.count }
}

extension LibraryStore {
    /// Returns the selected tracks in the order of their ids.
    /// - Parameters:
    ///   - id: only tracks with larger ids are returned.
    ///   - limit: the maximum number of tracks.
    package func tracks(of selection: TrackSelection, after id: Int, limit: Int) throws -> [CatalogueTrack] {
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

    /// The available tracks of an album.
    package func tracks(albumID: Int) throws -> [CatalogueTrack] {
        var selection = TrackSelection()
        selection.albumIDs = [albumID]
        return try tracks(of: selection, after: 0, limit: Int(Int32.max))
    }

    /// Returns the tracks with the same album title in the same folder, whatever their artist; disc folders
    /// count as one folder.
    /// - Parameter limit: the maximum number of tracks with that album title to look at; with more, the
    ///   result is empty.
    package func companions(of track: CatalogueTrack, limit: Int = 5_000) throws -> [CatalogueTrack] {
        guard let album = track.tags.album else { return [] }
        let folder = AlbumGrouping.albumFolder(track.path)
        let sameTitle = try read { database in
            try database.fetchAll(
                """
                SELECT * FROM tracks WHERE unavailable_since_ms IS NULL AND album_sort = ? LIMIT ?
                """, [SortKey.key(album), limit], TrackRow.track)
        }
        // The list may be incomplete: nothing certain can be said.
        guard sameTitle.count < limit else { return [] }
        return sameTitle.filter {
            AlbumGrouping.albumFolder($0.path) == folder
                && $0.tags.album.map(AlbumGrouping.folded) == AlbumGrouping.folded(album)
        }
    }
}
