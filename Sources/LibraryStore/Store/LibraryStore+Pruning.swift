internal import Analyzer
package import Foundation
internal import SQLiteDatabase

/// The result of a pruning or of a trial.
package struct PruningResult: Sendable, Equatable {
    /// A track whose file has long been missing.
    package struct Track: Sendable, Equatable {
        /// The path of its file.
        package var path: RelativePath
        /// When its file was first found missing.
        package var goneSince: Date

        /// Creates a track.
        package init(path: RelativePath, goneSince: Date) {
            self.path = path
            self.goneSince = goneSince
        }
    }

    /// Tracks whose files have long been missing, the longest first.
    package var tracks: [Track] = []
    /// Number of analyses without a track.
    package var analyses = 0
    /// Number of albums without tracks.
    package var albums = 0
    /// Number of artists without tracks and albums.
    package var artists = 0
    /// Number of pieces of audio without a track whose spectra are stored.
    package var frames = 0
    /// Bytes of those spectra.
    package var frameBytes = 0

    /// Creates an empty result.
    package init() {}

    /// Whether there was nothing to remove.
    package var isEmpty: Bool { tracks.isEmpty && analyses + albums + artists + frames == 0 }
}

extension LibraryStore {
    /// Thrown to roll back the transaction of a trial.
    private struct TrialEnd: Error {
        let result: PruningResult
        let audio: Set<AudioHash>
    }

    /// Removes unreferenced data and spectra. Not part of a pass: with an unmounted disk, all
    /// its tracks would lose their ids and analyses.
    ///
    /// Tracks in playlists are kept however long they have been missing. Stars, ratings and plays are stored
    /// elsewhere and apply again if a file comes back. Call this only while nothing is being analysed:
    /// spectra are stored before their tracks.
    /// - Parameters:
    ///   - date: tracks missing since before this date are removed, and then analyses, albums and artists
    ///     without tracks.
    ///   - frames: the spectra of the same library.
    ///   - isTrial: whether to change nothing; the result is then what would be removed.
    package func prune(goneBefore date: Date, frames: SpectrumStore, isTrial: Bool = false) throws
        -> PruningResult
    {
        var (result, audio) = try pruneCatalogue(goneBefore: date, isTrial: isTrial)
        (result.frames, result.frameBytes) = try frames.prune(isTrial: isTrial) { audio.contains($0) }
        return result
    }

    /// Numbers of available and missing tracks.
    package func trackCounts() throws -> (available: Int, gone: Int) {
        try read { database in
            try database.fetchOne(
                """
                SELECT count(*) FILTER (WHERE unavailable_since_ms IS NULL) AS available,
                    count(unavailable_since_ms) AS gone FROM tracks
                """
            ) { (try $0["available"], try $0["gone"]) } ?? (0, 0)
        }
    }

    /// - Returns: the result, and the audio that tracks still refer to.
    private func pruneCatalogue(
        goneBefore date: Date, isTrial: Bool
    ) throws -> (PruningResult, Set<AudioHash>) {
        do {
            return try write { database in
                let (result, audio) = try Self.prune(goneBefore: date, database)
                if isTrial { throw TrialEnd(result: result, audio: audio) }
                return (result, audio)
            }
        } catch let end as TrialEnd {
            return (end.result, end.audio)
        }
    }

    private static func prune(goneBefore date: Date, _ database: Database) throws -> (
        PruningResult, Set<AudioHash>
    ) {
        func remove(_ sql: String, _ arguments: [(any DatabaseBindable)?] = []) throws(DatabaseError) -> Int {
            try database.execute(sql, arguments)
            return database.changedRowCount
        }
        let isGone = "unavailable_since_ms < ? AND id NOT IN (SELECT track_id FROM playlist_entries)"
        var result = PruningResult()
        result.tracks = try database.fetchAll(
            """
            SELECT relative_path, path_bytes, unavailable_since_ms FROM tracks WHERE \(isGone)
            ORDER BY unavailable_since_ms, relative_path
            """, [date.storedMilliseconds]
        ) {
            PruningResult.Track(
                path: try TrackRow.path($0),
                goneSince: Date(storedMilliseconds: try $0["unavailable_since_ms"]))
        }
        _ = try remove("DELETE FROM tracks WHERE \(isGone)", [date.storedMilliseconds])
        result.analyses = try remove(
            "DELETE FROM analyses WHERE audio_hash NOT IN (SELECT audio_hash FROM tracks)")
        result.albums = try remove(
            "DELETE FROM albums WHERE id NOT IN (SELECT album_id FROM tracks WHERE album_id IS NOT NULL)")
        result.artists = try remove(
            """
            DELETE FROM artists
            WHERE id NOT IN (SELECT artist_id FROM tracks WHERE artist_id IS NOT NULL)
                AND id NOT IN (SELECT artist_id FROM albums WHERE artist_id IS NOT NULL)
            """)
        var audio: Set<AudioHash> = []
        try database.forEach("SELECT audio_hash FROM tracks") {
            audio.insert(try TrackRow.hash($0["audio_hash"]))
        }
        return (result, audio)
    }
}
