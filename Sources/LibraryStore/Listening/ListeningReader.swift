internal import Analyzer
package import Catalogue
package import MusicShared
internal import SQLiteDatabase

/// A consistent snapshot of an account's listening data and the library.
///
/// Only for use within the closure that it was passed to.
package struct ListeningReader {
    let database: Database
    let accountID: Int
    let smart: (any SmartPlaylistSource)?

    /// Identifies the state of the data: unchanged as long as nothing in it changes, and different for each account.
    package var revision: String {
        get throws { "\(accountID).\(try ReadState.of(database))" }
    }

    /// The library's catalogue.
    package var catalogue: CatalogueReader { CatalogueReader(database: database, smart: smart) }

    /// A track with its listening state; nil if there is no such track.
    package func track(id: Int) throws -> TrackItem? { try tracks(ids: [id]).first }

    /// The tracks with some ids with their listening states, in the order of the ids; ids that do not exist are left out.
    package func tracks(ids: [Int]) throws -> [TrackItem] { try withStates(catalogue.tracks(ids: ids)) }

    /// An album with its listening state, without its tracks; nil if it does not exist or has no available
    /// track.
    package func album(id: Int) throws -> AlbumItem? {
        guard var album = try catalogue.albumItem(id: id) else { return nil }
        album.listening = try state(.album, id)
        return album
    }

    /// An artist with their listening state, without albums; nil if the artist does not exist or has no
    /// available track.
    package func artist(id: Int) throws -> ArtistItem? {
        guard var artist = try catalogue.artistItem(id: id) else { return nil }
        artist.listening = try state(.artist, id)
        return artist
    }

    /// Adds the listening states to tracks of the catalogue, with one query for all.
    package func withStates(_ tracks: [TrackItem]) throws -> [TrackItem] {
        let found = try database.fetchAll(
            """
            \(Self.columns), tracks.id FROM json_each(?) AS wanted CROSS JOIN tracks ON tracks.id = wanted.value
            CROSS JOIN listened ON kind = 'track' AND listened.audio_hash = tracks.audio_hash
                AND listened.place = tracks.relative_path AND \(isOwn)
            """, [NumberList(tracks.map(\.id))]
        ) { row -> (Int, ListeningState) in (try row["id"], try Self.state(row)) }
        let states = Dictionary(found) { first, _ in first }
        return tracks.map { track in
            var track = track
            track.listening = states[track.id] ?? ListeningState()
            return track
        }
    }

    /// Returns an album of the catalogue with its state.
    package func withState(_ album: AlbumItem) throws -> AlbumItem {
        var album = album
        album.listening = try state(.album, album.id)
        return album
    }

    /// Returns an artist of the catalogue with the state.
    package func withState(_ artist: ArtistItem) throws -> ArtistItem {
        var artist = artist
        artist.listening = try state(.artist, artist.id)
        return artist
    }

    /// A page of tracks.
    package func tracks(_ list: ListeningList, limit: Int, offset: Int) throws -> CataloguePage<TrackItem> {
        let source =
            "listened CROSS JOIN tracks ON \(Self.isPlayable) AND tracks.audio_hash = listened.audio_hash"
        let condition = "\(isOwn) AND kind = 'track' AND \(Self.condition(list))"
        return try page(
            "SELECT tracks.id FROM \(source) WHERE \(condition) ORDER BY \(Self.order(list)), listened.id DESC",
            limit, offset
        ) { try tracks(ids: $0) }
    }

    /// A page of albums.
    package func albums(_ list: ListeningList, limit: Int, offset: Int) throws -> CataloguePage<AlbumItem> {
        try page(query(.album, list), limit, offset) { ids in try ids.compactMap { try album(id: $0) } }
    }

    /// A page of artists.
    package func artists(_ list: ListeningList, limit: Int, offset: Int) throws -> CataloguePage<ArtistItem> {
        try page(query(.artist, list), limit, offset) { ids in try ids.compactMap { try artist(id: $0) }
        }
    }

    private func page<Item>(
        _ query: String, _ limit: Int, _ offset: Int, items: ([Int]) throws -> [Item]
    ) throws -> CataloguePage<Item> {
        let ids: [Int] = try database.values("\(query) LIMIT ? OFFSET ?", [limit, offset])
        return CataloguePage(
            items: try items(ids),
            total: try database.scalar("SELECT count(*) FROM (\(query))") ?? 0,
            limit: limit, offset: offset)
    }

    /// The listening state of an album or an artist: its own star and rating, and the plays of its tracks.
    private func state(_ kind: ListenedKind, _ id: Int) throws -> ListeningState {
        let key =
            kind == .album
            ? "SELECT album_key FROM albums WHERE id = ?" : "SELECT name_key FROM artists WHERE id = ?"
        var state =
            try database.fetchOne(
                "\(Self.columns) FROM listened WHERE \(isOwn) AND kind = '\(kind.rawValue)' AND place = (\(key))",
                [id],
                Self.state) ?? ListeningState()
        try database.forEach(
            """
            SELECT total(listened.play_count) AS plays, max(listened.last_played_at_ms) AS last_at_ms FROM tracks
            CROSS JOIN listened ON kind = 'track' AND listened.audio_hash = tracks.audio_hash
                AND listened.place = tracks.relative_path AND \(isOwn)
            WHERE tracks.\(kind.rawValue)_id = ? AND +tracks.unavailable_since_ms IS NULL
            """, [id]
        ) { row in
            let count: Double = try row["plays"]
            let last: Int? = try row["last_at_ms"]
            state.playCount = Int(count)
            state.lastPlayedAt = last.map { Double($0) / 1000 }
        }
        return state
    }

    // MARK: - As SQL

    /// SQL condition: a row of `listened` belongs to the account.
    var isOwn: String { "listened.account_id = \(accountID)" }

    static let columns = "SELECT is_starred, starred_at_ms, last_played_at_ms, rating, play_count"

    static func state(_ row: borrowing Row) throws -> ListeningState {
        let isStarred: Bool = try row["is_starred"]
        let starred: Int? = try row["starred_at_ms"]
        let last: Int? = try row["last_played_at_ms"]
        return ListeningState(
            isStarred: isStarred, starredAt: isStarred ? starred.map { Double($0) / 1000 } : nil,
            rating: try row["rating"], playCount: try row["play_count"],
            lastPlayedAt: last.map { Double($0) / 1000 })
    }

    /// SQL condition: the track of a row is available.
    private static let isPlayable =
        "tracks.relative_path = listened.place AND tracks.unavailable_since_ms IS NULL"

    private static func condition(_ list: ListeningList) -> String {
        switch list {
        case .starred: "is_starred"
        case .rated: "rating IS NOT NULL"
        case .mostPlayed: "play_count > 0"
        case .recentlyPlayed: "last_played_at_ms IS NOT NULL"
        }
    }

    private static func order(_ list: ListeningList) -> String {
        switch list {
        case .starred: "starred_at_ms DESC"
        case .rated: "listened.rating DESC, rated_at_ms DESC"
        case .mostPlayed: "play_count DESC, last_played_at_ms DESC"
        case .recentlyPlayed: "last_played_at_ms DESC"
        }
    }

    private func query(_ kind: ListenedKind, _ list: ListeningList) -> String {
        let table = kind == .album ? "albums" : "artists"
        let key = kind == .album ? "album_key" : "name_key"
        switch list {
        case .starred, .rated:
            return """
                SELECT \(table).id FROM listened CROSS JOIN \(table) ON \(table).\(key) = listened.place
                WHERE \(isOwn) AND kind = '\(kind.rawValue)' AND \(Self.condition(list))
                    AND EXISTS (\(kind.playable("listened.place")))
                ORDER BY \(Self.order(list)), listened.id DESC
                """
        case .mostPlayed, .recentlyPlayed:
            let order =
                list == .mostPlayed
                ? "sum(play_count) DESC, max(last_played_at_ms) DESC" : "max(last_played_at_ms) DESC"
            return """
                SELECT tracks.\(kind.rawValue)_id AS id FROM listened
                CROSS JOIN tracks ON \(Self.isPlayable) AND tracks.audio_hash = listened.audio_hash
                WHERE \(isOwn) AND kind = 'track' AND play_count > 0 AND tracks.\(kind.rawValue)_id IS NOT NULL
                GROUP BY tracks.\(kind.rawValue)_id ORDER BY \(order), id DESC
                """
        }
    }
}

extension AccountListening {
    /// Reads the listening data in one transaction.
    package func look<Value>(_ body: (ListeningReader) throws -> Value) throws -> Value {
        try store.read { try body(ListeningReader(database: $0, accountID: accountID, smart: store.smart)) }
    }
}
