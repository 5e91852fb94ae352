package import Catalogue
internal import SQLiteDatabase

/// A place to look for a cover: a file's tags, or its folder.
package struct CoverSource: Sendable, Equatable {
    /// Path of the file.
    package var path: RelativePath
    /// Whether its tags contain a picture.
    package var hasEmbeddedCover: Bool
}

extension CatalogueReader {
    /// The place to look for a track's cover; nil if there is no such track.
    package func coverSource(trackID: Int) throws -> CoverSource? {
        try database.fetchOne(
            "SELECT relative_path, path_bytes, has_cover FROM tracks WHERE id = ?", [trackID], Self.source)
    }

    /// Returns the places to look for an album's cover, the likeliest first; empty if there is no such album.
    ///
    /// Tracks with a picture in their tags come first, then the others, by disc and track number.
    /// - Parameter limit: the maximum number of sources.
    package func coverSources(albumID: Int, limit: Int) throws -> [CoverSource] {
        try database.fetchAll(
            """
            SELECT relative_path, path_bytes, has_cover FROM tracks
            WHERE album_id = ? AND unavailable_since_ms IS NULL
            ORDER BY has_cover DESC, disc_number, track_number, id LIMIT ?
            """, [albumID, limit], Self.source)
    }

    private static func source(_ row: borrowing Row) throws -> CoverSource {
        CoverSource(path: try TrackRow.path(row), hasEmbeddedCover: try row["has_cover"])
    }
}
