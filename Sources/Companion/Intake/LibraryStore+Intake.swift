internal import Analyzer
internal import Foundation
internal import SQLiteDatabase

extension LibraryStore {
    /// The tracks that hold some audio and can be played.
    func availableTracks(of hash: AudioHash) throws -> [CatalogueTrack] {
        try read { database in
            try database.fetchAll(
                "SELECT * FROM tracks WHERE audio_hash = ? AND unavailable_since_ms IS NULL ORDER BY id",
                [hash.bytes], TrackRow.track)
        }
    }

    /// The path of a track, whether its file is there or not; nil where there is no track of this id.
    public func path(ofTrack id: Int) throws -> RelativePath? {
        try read { database in
            try database.fetchOne("SELECT relative_path, path_bytes FROM tracks WHERE id = ?", [id]) { row in
                try TrackRow.path(text: row[0], bytes: row[1])
            }
        }
    }

    /// Marks the track at a path as gone: its row, its places in playlists and its analysis stay.
    /// - Returns: the track's id; nil where the library does not know the path.
    func markUnavailable(_ path: RelativePath, now: Date = Date()) throws -> Int? {
        try write { database in
            let id: Int? = try database.scalar(
                "SELECT id FROM tracks WHERE relative_path = ?", [path.text])
            guard let id else { return nil }
            try database.execute(
                "UPDATE tracks SET unavailable_since_ms = ? WHERE id = ? AND unavailable_since_ms IS NULL",
                [now.storedMilliseconds, id])
            try database.execute(
                """
                UPDATE albums SET is_loudness_current = 0
                WHERE id = (SELECT album_id FROM tracks WHERE id = ?)
                """, [id])
            return id
        }
    }
}
