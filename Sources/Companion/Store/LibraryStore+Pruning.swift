public import Foundation
internal import SQLiteDatabase

/// What a pruning has removed.
public struct PruningResult: Sendable, Equatable {
    /// Tracks whose file has long been gone.
    public var tracks: Int
    /// Analyses of audio that no track has.
    public var analyses: Int
    /// Albums without tracks.
    public var albums: Int
    /// Artists without tracks and albums.
    public var artists: Int

    /// Puts the parts together.
    public init(tracks: Int, analyses: Int, albums: Int, artists: Int) {
        self.tracks = tracks
        self.analyses = analyses
        self.albums = albums
        self.artists = artists
    }
}

extension LibraryStore {
    /// Removes what nothing refers to any more. Not part of a pass: a disk that is not mounted today would cost
    /// all its tracks their ids and analyses.
    /// - Parameter date: tracks gone since before this date are removed, and then analyses, albums and
    ///   artists that no track has.
    public func prune(goneBefore date: Date) throws -> PruningResult {
        try write { database in
            func remove(
                _ sql: String, _ arguments: [(any DatabaseBindable)?] = []
            ) throws(DatabaseError) -> Int {
                try database.execute(sql, arguments)
                return database.changedRowCount
            }
            return PruningResult(
                tracks: try remove(
                    "DELETE FROM tracks WHERE unavailable_since_ms < ?", [date.storedMilliseconds]),
                analyses: try remove(
                    "DELETE FROM analyses WHERE audio_hash NOT IN (SELECT audio_hash FROM tracks)"),
                albums: try remove(
                    """
                    DELETE FROM albums
                    WHERE id NOT IN (SELECT album_id FROM tracks WHERE album_id IS NOT NULL)
                    """),
                artists: try remove(
                    """
                    DELETE FROM artists
                    WHERE id NOT IN (SELECT artist_id FROM tracks WHERE artist_id IS NOT NULL)
                        AND id NOT IN (SELECT artist_id FROM albums WHERE artist_id IS NOT NULL)
                    """))
        }
    }
}
