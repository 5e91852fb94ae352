public import Catalogue
internal import SQLiteDatabase

/// Where a cover may be found: in a file's tags, or in its folder.
public struct CoverSource: Sendable, Equatable {
    /// Where the file is.
    public var path: RelativePath
    /// Whether its tags hold a picture.
    public var hasEmbeddedCover: Bool
}

extension CatalogueReader {
    /// Where a track's cover may be found; nil if there is no such track.
    public func coverSource(trackID: Int) throws -> CoverSource? {
        try database.fetchOne(
            "SELECT relative_path, path_bytes, has_cover FROM tracks WHERE id = ?", [trackID], Self.source)
    }

    /// Where an album's cover may be found, the likeliest first; none if there is no such album.
    ///
    /// First a track whose tags hold a picture, then others, by disc and number.
    /// - Parameter limit: the most sources.
    public func coverSources(albumID: Int, limit: Int) throws -> [CoverSource] {
        try database.fetchAll(
            """
            SELECT relative_path, path_bytes, has_cover FROM tracks
            WHERE album_id = ? AND unavailable_since_ms IS NULL
            ORDER BY has_cover DESC, disc_number, track_number, id LIMIT ?
            """, [albumID, limit], Self.source)
    }

    private static func source(_ row: borrowing Row) throws -> CoverSource {
        CoverSource(path: try TrackRow.path(text: row[0], bytes: row[1]), hasEmbeddedCover: try row[2])
    }
}
