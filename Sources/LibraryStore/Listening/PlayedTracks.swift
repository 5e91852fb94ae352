internal import Catalogue
internal import SQLiteDatabase
internal import Threads

/// The available tracks that an account has listened to, with their albums and artists.
///
/// Rows of `listened` know their tracks by audio and path. Finding them reads rows all over a large library, so what was found
/// is kept: after a play, only tracks that were never played before are looked up.
struct PlayedTracks: Sendable {
    /// One of them; album and artist are 0 if the track has no album or artist.
    struct Place {
        let track: Int
        let album: Int
        let artist: Int
    }

    private static let latest = Memo<String, PlayedTracks>(capacity: 8)

    /// Ids of rows of `listened`, ascending.
    private var listened: [Int32] = []
    private var tracks: [Int32] = []
    private var albums: [Int32] = []
    private var artists: [Int32] = []
    /// The last row of `listened` that was looked up.
    private var last = 0

    /// Returns the tracks in the current state of the databases.
    static func current(_ reader: ListeningReader) throws -> PlayedTracks {
        let epoch: String = try reader.database.scalar("SELECT epoch FROM listening_state") ?? ""
        let key = "\(epoch)/\(reader.accountID)/\(try reader.catalogue.state)"
        var played = latest[key] ?? PlayedTracks()
        let newest: Int = try reader.database.scalar("SELECT max(id) FROM listened") ?? 0
        guard newest != played.last else { return played }
        if newest < played.last { played = PlayedTracks() }
        try played.look(reader)
        played.last = newest
        latest[key] = played
        return played
    }

    /// Forgets what was found: rows of `listened` have been moved to other tracks.
    static func forget() { latest.removeAll() }

    private mutating func look(_ reader: ListeningReader) throws {
        try reader.database.forEach(
            """
            SELECT listened.id AS listened_id, tracks.id, coalesce(album_id, 0) AS album, coalesce(artist_id, 0) AS artist
            FROM listened CROSS JOIN tracks ON tracks.relative_path = listened.place
                AND tracks.audio_hash = listened.audio_hash AND tracks.unavailable_since_ms IS NULL
            WHERE listened.id > ? AND +\(reader.isOwn) AND +kind = 'track' ORDER BY listened.id
            """, [last]
        ) { row in
            listened.append(Int32(clamping: try row["listened_id"] as Int))
            tracks.append(Int32(clamping: try row["id"] as Int))
            albums.append(Int32(clamping: try row["album"] as Int))
            artists.append(Int32(clamping: try row["artist"] as Int))
        }
    }

    /// The track of a row of `listened`; nil if it is not available.
    subscript(id: Int) -> Place? {
        let id = Int32(clamping: id)
        var (low, high) = (0, listened.count)
        while low < high {
            let middle = (low + high) / 2
            if listened[middle] < id { low = middle + 1 } else { high = middle }
        }
        guard low < listened.count, listened[low] == id else { return nil }
        return Place(track: Int(tracks[low]), album: Int(albums[low]), artist: Int(artists[low]))
    }
}
