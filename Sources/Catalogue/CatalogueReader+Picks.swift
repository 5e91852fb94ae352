package import MusicShared
internal import SQLiteDatabase

/// Facts about an album that its catalogue entry does not carry.
package struct AlbumDetails: Sendable, Equatable {
    /// When the first of its tracks was added, in seconds since 1970.
    package var addedAt: Double
    /// The release's MusicBrainz identifier, from the tags.
    package var musicBrainzID: String?
}

/// Facts about a track that its catalogue entry does not carry.
package struct TrackDetails: Sendable, Equatable {
    /// The comment in the tags.
    package var comment: String?
    /// The album artist in the catalogue.
    package var albumArtistID: Int?
    /// The album artist's name in the catalogue.
    package var albumArtist: String?
    /// International standard recording codes.
    package var isrcs: [String] = []
    /// The recording's MusicBrainz identifier.
    package var musicBrainzID: String?
    /// Title to sort by.
    package var titleSort: String?
    /// Moods.
    package var moods: [String] = []
    /// Advice on the words: 1 for explicit, 2 for clean.
    package var advisory: Int?
    /// Author of the words.
    package var lyricist: String?
    /// Conductor.
    package var conductor: String?
    /// Remixer.
    package var remixer: String?

    init(_ row: borrowing Row) throws {
        comment = try row["comment"]
        albumArtistID = try row["album_artist_id"]
        albumArtist = try row["album_artist_name"]
        isrcs = Self.values(try row["isrc"])
        musicBrainzID = try row["musicbrainz_track_id"]
        titleSort = try row["tagged_title_sort"]
        moods = Self.values(try row["mood"])
        advisory = try row["advisory"]
        lyricist = try row["lyricist"]
        conductor = try row["conductor"]
        remixer = try row["remixer"]
    }

    /// Separates values that were read from one tag.
    private static func values(_ text: String?) -> [String] {
        (text ?? "").split(separator: "; ").map(String.init)
    }
}

/// Conditions on the tracks of a random selection.
package struct RandomPick: Sendable {
    /// Only this genre; the case of Latin letters is ignored.
    package var genre: String?
    /// Only this year or later.
    package var fromYear: Int?
    /// Only this year or earlier.
    package var toYear: Int?

    /// Selects from all tracks.
    package init() {}
}

extension CatalogueReader {
    /// Returns random available tracks without duplicates.
    package func randomTracks(_ pick: RandomPick, limit: Int) throws -> [TrackItem] {
        var conditions = ["unavailable_since_ms IS NULL"]
        var arguments: [(any DatabaseBindable)?] = []
        func add(_ condition: String, _ value: (any DatabaseBindable)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments.append(value)
        }
        add("genre = ? COLLATE NOCASE", pick.genre)
        add("year >= ?", pick.fromYear)
        add("year <= ?", pick.toYear)
        let ids: [Int] = try database.values(
            """
            SELECT id FROM tracks WHERE \(conditions.joined(separator: " AND "))
            ORDER BY random() LIMIT ?
            """, arguments + [limit])
        return try tracks(ids: ids)
    }

    /// Returns the ids of random albums with an available track.
    package func randomAlbumIDs(limit: Int) throws -> [Int] {
        try database.values(
            """
            SELECT album_id FROM tracks WHERE unavailable_since_ms IS NULL AND album_id IS NOT NULL
            GROUP BY album_id ORDER BY random() LIMIT ?
            """, [limit])
    }

    /// Returns the ids of albums by their year, which is the earliest of their tracks.
    /// - Parameters:
    ///   - from: the first year; greater than `to` for the latest album first.
    ///   - to: the last year.
    package func albumIDs(fromYear from: Int, toYear to: Int, limit: Int, offset: Int) throws -> [Int] {
        let direction = from > to ? " DESC" : ""
        return try database.values(
            """
            SELECT album_id FROM tracks WHERE unavailable_since_ms IS NULL AND album_id IS NOT NULL
            GROUP BY album_id HAVING min(year) BETWEEN ? AND ?
            ORDER BY min(year)\(direction), album_id\(direction) LIMIT ? OFFSET ?
            """, [min(from, to), max(from, to), limit, offset])
    }

    /// Returns details of an album; nil where it has no available track.
    package func albumDetails(id: Int) throws -> AlbumDetails? {
        try database.fetchOne(
            """
            SELECT min(added_at_ms) AS first_added_at_ms, max(musicbrainz_album_id) AS release_id FROM tracks
            WHERE album_id = ? AND +unavailable_since_ms IS NULL
            """, [id]
        ) { row -> AlbumDetails? in
            guard let added: Int = try row["first_added_at_ms"] else { return nil }
            return AlbumDetails(addedAt: Double(added) / 1000, musicBrainzID: try row["release_id"])
        } ?? nil
    }

    /// Returns details of tracks by their ids.
    package func trackDetails(ids: [Int]) throws -> [Int: TrackDetails] {
        let found = try database.fetchAll(
            """
            SELECT tracks.id, tracks.comment, artists.id AS album_artist_id, artists.name AS album_artist_name,
                tracks.isrc, tracks.musicbrainz_track_id, tracks.tagged_title_sort, tracks.mood, tracks.advisory,
                tracks.lyricist, tracks.conductor, tracks.remixer
            FROM tracks
            LEFT JOIN albums ON albums.id = tracks.album_id
            LEFT JOIN artists ON artists.id = albums.artist_id
            WHERE tracks.id IN (SELECT value FROM json_each(?))
            """, [NumberList(ids)]
        ) { row -> (Int, TrackDetails) in (try row["id"], try TrackDetails(row)) }
        return Dictionary(found) { first, _ in first }
    }

    /// Returns the id of the artist with a name; the case of Latin letters is ignored.
    package func artistID(named name: String) throws -> Int? {
        try database.scalar(
            "SELECT id FROM artists WHERE name = ? COLLATE NOCASE ORDER BY id LIMIT 1", [name])
    }

    /// Returns the ids of other artists who share genres with an artist, the closest first.
    package func similarArtistIDs(to id: Int, limit: Int) throws -> [Int] {
        try database.values(
            """
            SELECT artist_id FROM tracks
            WHERE unavailable_since_ms IS NULL AND artist_id IS NOT NULL AND artist_id <> ?1
                AND genre IN (SELECT genre FROM tracks WHERE artist_id = ?1 AND genre <> '')
            GROUP BY artist_id ORDER BY count(*) DESC, artist_id LIMIT ?2
            """, [id, limit])
    }

    /// Returns tracks that resemble one: same artist, genre, key and a tempo within 4 %, the closest first.
    ///
    /// Equally close tracks come in random order, so that a radio station made of them varies.
    /// - Parameters:
    ///   - seed: the track to compare with; it is not returned itself.
    ///   - artistID: the artist to compare with instead of the seed's.
    package func similarTracks(to seed: TrackItem?, artistID: Int?, limit: Int) throws -> [TrackItem] {
        let camelot = seed?.keyCamelot
        let ids: [Int] = try database.fetchAll(
            """
            SELECT tracks.id,
                CASE WHEN tracks.artist_id = ?1 THEN 4 ELSE 0 END
                + CASE WHEN tracks.genre = ?2 COLLATE NOCASE OR (?2 IS NULL AND tracks.genre IN
                    (SELECT genre FROM tracks WHERE artist_id = ?1 AND genre <> '')) THEN 3 ELSE 0 END
                + CASE WHEN abs(analyses.bpm - ?3) <= 0.04 * ?3 THEN 2 ELSE 0 END AS closeness
            FROM tracks LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            WHERE tracks.unavailable_since_ms IS NULL AND tracks.id IS NOT ?4 AND closeness > 0
            ORDER BY closeness DESC, random() LIMIT ?5
            """,
            [
                artistID ?? seed?.artistID, seed?.genre, seed?.bpm, seed?.id,
                // The key is compared afterwards, among more tracks than are returned.
                camelot == nil ? limit : limit * 4,
            ]
        ) { try $0["id"] }
        let tracks = try tracks(ids: ids)
        guard let camelot else { return tracks }
        let matching = tracks.filter { $0.keyCamelot == camelot }
        let others = tracks.filter { $0.keyCamelot != camelot }
        return Array((matching + others).prefix(limit))
    }

    /// When a track last changed, in milliseconds since 1970; 0 for an empty library.
    package var lastChangeMilliseconds: Int {
        get throws { try database.scalar("SELECT max(changed_at_ms) FROM tracks") ?? 0 }
    }
}
