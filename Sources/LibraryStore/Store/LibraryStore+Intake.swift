package import Analyzer
package import Foundation
internal import SQLiteDatabase

extension LibraryStore {
    /// The available tracks with this audio.
    package func availableTracks(of hash: AudioHash) throws -> [CatalogueTrack] {
        try read { database in
            try database.fetchAll(
                "SELECT * FROM tracks WHERE audio_hash = ? AND unavailable_since_ms IS NULL ORDER BY id",
                [hash.bytes], TrackRow.track)
        }
    }

    /// The path of a track, whether or not it is available; nil if there is no track with this id.
    package func path(ofTrack id: Int) throws -> RelativePath? {
        try read { database in
            try database.fetchOne(
                "SELECT relative_path, path_bytes FROM tracks WHERE id = ?", [id], TrackRow.path)
        }
    }

    /// Marks the track at a path as unavailable: its row, its playlist entries and its analysis are kept.
    /// - Returns: the track's id; nil if the library does not know the path.
    package func markUnavailable(_ path: RelativePath, now: Date = Date()) throws -> Int? {
        try write { database in
            let id: Int? = try database.scalar(
                "SELECT id FROM tracks WHERE relative_path = ?", [path.text])
            guard let id else { return nil }
            try database.execute(
                "UPDATE tracks SET unavailable_since_ms = ? WHERE id = ? AND unavailable_since_ms IS NULL",
                [now.storedMilliseconds, id])
            try Self.outdateAlbums("id = (SELECT album_id FROM tracks WHERE id = ?)", [id], database)
            return id
        }
    }

    /// Whether the available tracks of a folder, without its subfolders, all belong to one album.
    package func holdsOneAlbum(_ folder: RelativePath) throws -> Bool {
        try read { database in
            let albums = try database.fetchAll(
                """
                SELECT DISTINCT album_id FROM tracks
                WHERE relative_path >= ?1 || '/' AND relative_path < ?1 || '0'
                    AND instr(substr(relative_path, length(?1) + 2), '/') = 0 AND unavailable_since_ms IS NULL
                """, [folder.text]
            ) { row -> Int? in try row["album_id"] }
            return albums.count == 1 && albums.first.flatMap { $0 } != nil
        }
    }
}
