/// The kinds of items that can be listened to.
enum ListenedKind: String {
    case track, album, artist

    /// SQL that selects a row if the item at a place has an available track.
    func playable(_ place: String) -> String {
        switch self {
        case .track:
            "SELECT 1 FROM tracks WHERE relative_path = \(place) AND unavailable_since_ms IS NULL"
        case .album:
            """
            SELECT 1 FROM albums WHERE albums.album_key = \(place) AND albums.track_count > 0
            """
        case .artist:
            """
            SELECT 1 FROM artists
            WHERE artists.name_key = \(place) AND artists.track_count + artists.album_count > 0
            """
        }
    }

    /// SQL of a table that maps tracks to places.
    var membership: String {
        switch self {
        case .track: "(SELECT id AS track_id, relative_path AS place FROM tracks)"
        case .album:
            """
            (SELECT tracks.id AS track_id, albums.album_key AS place FROM tracks
                JOIN albums ON albums.id = tracks.album_id)
            """
        case .artist:
            """
            (SELECT tracks.id AS track_id, artists.name_key AS place FROM tracks
                JOIN artists ON artists.id = tracks.artist_id)
            """
        }
    }
}
