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

    /// The columns that ``init(_:)`` reads, of a query of `tracks` and `albums`.
    static let columns =
        [
            "albums.artist_id AS album_artist_id",
            "(SELECT name FROM artists WHERE id = albums.artist_id) AS album_artist_name",
        ]
        + [
            "comment", "isrc", "musicbrainz_track_id", "tagged_title_sort", "mood", "advisory", "lyricist",
            "conductor", "remixer",
        ].map { "tracks.\($0)" }

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
        if arguments.isEmpty, let ids = try drawnTrackIDs(limit: limit) { return try tracks(ids: ids) }
        let ids: [Int] = try database.values(
            """
            SELECT id FROM tracks WHERE \(conditions.joined(separator: " AND "))
            ORDER BY random() LIMIT ?
            """, arguments + [limit])
        return try tracks(ids: ids)
    }

    /// Draws ids of available tracks, each with the same probability, without reading the others; nil if too few of the ids
    /// are in use, as in a small library.
    private func drawnTrackIDs(limit: Int) throws -> [Int]? {
        guard let last: Int = try database.scalar("SELECT max(id) FROM tracks"), last > limit * 10 else {
            return nil
        }
        var drawn: Set<Int> = []
        for _ in 0..<8 {
            let numbers = (0..<limit * 5 / 4 + 1).map { _ in Int.random(in: 1...last) }
            let found: [Int] = try database.values(
                """
                SELECT id FROM tracks WHERE id IN (SELECT value FROM json_each(?)) AND +unavailable_since_ms IS NULL
                """, [NumberList(numbers)])
            drawn.formUnion(found)
            if drawn.count >= limit { return Array(drawn.shuffled().prefix(limit)) }
        }
        return nil
    }

    /// Returns the ids of random albums with an available track.
    package func randomAlbumIDs(limit: Int) throws -> [Int] {
        try database.values(
            """
            SELECT id FROM albums INDEXED BY albums_listed_by_title WHERE track_count > 0
            ORDER BY random() LIMIT ?
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
            SELECT id FROM albums WHERE track_count > 0 AND first_year BETWEEN ? AND ?
            ORDER BY first_year\(direction), title_sort\(direction), id\(direction) LIMIT ? OFFSET ?
            """, [min(from, to), max(from, to), limit, offset])
    }

    /// Returns details of an album; nil where it has no available track.
    package func albumDetails(id: Int) throws -> AlbumDetails? { try albumDetails(ids: [id])[id] }

    /// Returns details of albums by their ids; those without an available track are left out.
    package func albumDetails(ids: [Int]) throws -> [Int: AlbumDetails] {
        let found = try database.fetchAll(
            """
            SELECT album_id, min(added_at_ms) AS first_added_at_ms, max(musicbrainz_album_id) AS release_id FROM tracks
            WHERE album_id IN (SELECT value FROM json_each(?)) AND +unavailable_since_ms IS NULL GROUP BY album_id
            """, [NumberList(ids)]
        ) { row -> (Int, AlbumDetails) in
            let added: Int = try row["first_added_at_ms"]
            return (
                try row["album_id"],
                AlbumDetails(addedAt: Double(added) / 1000, musicBrainzID: try row["release_id"])
            )
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Returns details of tracks by their ids.
    package func trackDetails(ids: [Int]) throws -> [Int: TrackDetails] {
        let found = try database.fetchAll(
            """
            SELECT tracks.id, \(TrackDetails.columns.joined(separator: ", ")) FROM tracks
            LEFT JOIN albums ON albums.id = tracks.album_id
            WHERE tracks.id IN (SELECT value FROM json_each(?))
            """, [NumberList(ids)]
        ) { row -> (Int, TrackDetails) in (try row["id"], try TrackDetails(row)) }
        return Dictionary(found) { first, _ in first }
    }

    /// Returns the tracks with some ids, in the order of the ids, and their details by id, with one query for both: in a large library,
    /// most of the time goes into finding rows. Ids that do not exist are left out; unavailable tracks are not.
    package func detailedTracks(ids: [Int]) throws -> (tracks: [TrackItem], details: [Int: TrackDetails]) {
        var tracks: [TrackItem] = []
        var details: [Int: TrackDetails] = [:]
        tracks.reserveCapacity(ids.count)
        details.reserveCapacity(ids.count)
        try database.forEach(
            """
            \(TrackItemRow.query(with: TrackDetails.columns)) WHERE tracks.id IN (SELECT value FROM json_each(?))
            """, [NumberList(ids)]
        ) { row in
            let track = try TrackItemRow.item(row)
            details[track.id] = try TrackDetails(row)
            tracks.append(track)
        }
        return (tracks.inOrder(of: ids), details)
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
            WITH own AS (SELECT DISTINCT genre FROM tracks WHERE artist_id = ?1 AND genre <> '' COLLATE NOCASE)
            SELECT albums.shown_artist_id FROM own
            CROSS JOIN album_genres ON album_genres.genre = own.genre
            CROSS JOIN albums ON albums.id = album_genres.album_id
            WHERE albums.shown_artist_id IS NOT NULL AND albums.shown_artist_id <> ?1
            GROUP BY albums.shown_artist_id ORDER BY sum(album_genres.track_count) DESC, albums.shown_artist_id LIMIT ?2
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
            WITH genres AS (
                SELECT ?2 AS genre WHERE ?2 IS NOT NULL
                UNION SELECT genre FROM tracks WHERE ?2 IS NULL AND artist_id = ?1 AND genre <> ''
            ), candidates AS (
                SELECT id FROM (SELECT id FROM tracks WHERE artist_id = ?1 LIMIT ?6)
                UNION SELECT id FROM (\(Self.someOf("genre COLLATE NOCASE IN (SELECT genre FROM genres)")))
                UNION SELECT id FROM (\(Self.someOf(
                    "unavailable_since_ms IS NULL AND bpm_sort BETWEEN 0.96 * ?3 AND 1.04 * ?3")))
            )
            SELECT tracks.id,
                CASE WHEN tracks.artist_id = ?1 THEN 4 ELSE 0 END
                + CASE WHEN tracks.genre COLLATE NOCASE IN (SELECT genre FROM genres) THEN 3 ELSE 0 END
                + CASE WHEN abs(tracks.bpm_sort - ?3) <= 0.04 * ?3 THEN 2 ELSE 0 END AS closeness
            FROM candidates CROSS JOIN tracks ON tracks.id = candidates.id
            WHERE tracks.unavailable_since_ms IS NULL AND tracks.id IS NOT ?4 AND closeness > 0
            ORDER BY closeness DESC, random() LIMIT ?5
            """,
            [
                artistID ?? seed?.artistID, seed?.genre, seed?.bpm, seed?.id,
                // The key is compared afterwards, among more tracks than are returned.
                camelot == nil ? limit : limit * 4,
                Self.mostCandidates,
            ]
        ) { try $0["id"] }
        let tracks = try tracks(ids: ids)
        guard let camelot else { return tracks }
        let matching = tracks.filter { $0.keyCamelot == camelot }
        let others = tracks.filter { $0.keyCamelot != camelot }
        return Array((matching + others).prefix(limit))
    }

    /// The most tracks of the same artist, of the same genre and of a similar tempo that are compared.
    private static let mostCandidates = 400

    /// SQL that selects the ids of at most so many tracks, the sixth argument: with more, about that many at random.
    private static func someOf(_ condition: String) -> String {
        """
        SELECT id FROM tracks WHERE \(condition)
            AND (abs(random()) % 1000000) * (SELECT count(*) FROM tracks WHERE \(condition)) < 1200000 * ?6
        LIMIT ?6
        """
    }

    /// When a track last changed, in milliseconds since 1970; 0 for an empty library.
    package var lastChangeMilliseconds: Int {
        get throws { try count("SELECT coalesce(max(changed_at_ms), 0) FROM tracks", []) }
    }
}
