package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns the genres of all available tracks, sorted by name.
    package func genres() throws -> [GenreItem] {
        try database.fetchAll(
            """
            SELECT min(genre) AS name, sum(track_count) AS track_count, sum(album_id > 0) AS album_count,
                (SELECT album_id FROM album_genres AS own WHERE own.genre = album_genres.genre AND album_id > 0
                    ORDER BY own.track_count DESC, album_id LIMIT 1) AS fullest_album_id
            FROM album_genres GROUP BY genre ORDER BY genre
            """
        ) { row in
            GenreItem(
                name: try row["name"], trackCount: try row["track_count"], albumCount: try row["album_count"],
                albumID: try row["fullest_album_id"])
        }
    }

    /// Returns the genres of an album's available tracks, the most frequent first.
    package func genres(albumID: Int) throws -> [String] {
        try database.values(
            """
            SELECT genre FROM album_genres WHERE album_id = ? ORDER BY track_count DESC, genre
            """, [albumID])
    }

    /// Returns the genres of the available tracks of albums, the most frequent first, by the albums' ids.
    package func genres(albumIDs ids: [Int]) throws -> [Int: [String]] {
        var genres: [Int: [String]] = [:]
        try database.forEach(
            """
            SELECT album_id, genre FROM album_genres WHERE album_id IN (SELECT value FROM json_each(?))
            ORDER BY album_id, track_count DESC, genre
            """, [NumberList(ids)]
        ) { row in
            let album: Int = try row["album_id"]
            genres[album, default: []].append(try row["genre"])
        }
        return genres
    }
}
