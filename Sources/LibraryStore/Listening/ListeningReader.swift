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
    package func album(id: Int) throws -> AlbumItem? { try albums(ids: [id]).first }

    /// The albums with some ids with their listening states, without their tracks, in the order of the ids; albums that do not
    /// exist or have no available track are left out.
    package func albums(ids: [Int]) throws -> [AlbumItem] { try withStates(catalogue.albumItems(ids: ids)) }

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

    /// Adds the listening states to albums of the catalogue, with two queries for all.
    package func withStates(_ albums: [AlbumItem]) throws -> [AlbumItem] {
        let ids = NumberList(albums.map(\.id))
        let own = try database.fetchAll(
            """
            \(Self.columns), albums.id FROM json_each(?) AS wanted CROSS JOIN albums ON albums.id = wanted.value
            CROSS JOIN listened ON kind = 'album' AND listened.place = albums.album_key AND \(isOwn)
            """, [ids]
        ) { row -> (Int, ListeningState) in (try row["id"], try Self.state(row)) }
        var states = Dictionary(own) { first, _ in first }
        for id in albums.map(\.id) {
            states[id, default: ListeningState()].playCount = 0
            states[id, default: ListeningState()].lastPlayedAt = nil
        }
        try database.forEach(
            """
            SELECT tracks.album_id, sum(listened.play_count) AS plays, max(listened.last_played_at_ms) AS last_at_ms
            FROM json_each(?) AS wanted CROSS JOIN tracks ON tracks.album_id = wanted.value
                AND +tracks.unavailable_since_ms IS NULL
            CROSS JOIN listened ON kind = 'track' AND listened.audio_hash = tracks.audio_hash
                AND listened.place = tracks.relative_path AND \(isOwn)
            GROUP BY tracks.album_id
            """, [ids]
        ) { row in
            let last: Int? = try row["last_at_ms"]
            let id: Int = try row["album_id"]
            states[id]?.playCount = try row["plays"]
            states[id]?.lastPlayedAt = last.map { Double($0) / 1000 }
        }
        return albums.map { album in
            var album = album
            album.listening = states[album.id] ?? ListeningState()
            return album
        }
    }

    /// Adds stars and ratings to artists of the catalogue, with one query for all; the plays of their tracks are not counted.
    package func withMarks(_ artists: [ArtistItem]) throws -> [ArtistItem] {
        let own = try database.fetchAll(
            """
            \(Self.columns), artists.id FROM listened CROSS JOIN artists ON artists.name_key = listened.place
            WHERE \(isOwn) AND kind = 'artist'
            """
        ) { row -> (Int, ListeningState) in (try row["id"], try Self.state(row)) }
        let states = Dictionary(own) { first, _ in first }
        var artists = artists
        for place in artists.indices {
            artists[place].listening = states[artists[place].id] ?? ListeningState()
        }
        return artists
    }

    /// A page of tracks.
    /// - Parameter read: reads the tracks with some ids, in their order; nil for the catalogue's.
    package func tracks(
        _ list: ListeningList, limit: Int, offset: Int, read: (([Int]) throws -> [TrackItem])? = nil
    ) throws -> CataloguePage<TrackItem> {
        let played = try PlayedTracks.current(self)
        let places = try listenedTracks(list).compactMap { row in
            played[row.id].map { (row: row.id, track: $0.track) }
        }
        let shown = places.dropFirst(offset).prefix(limit)
        let states = try states(ofRows: shown.map(\.row))
        let rows = Dictionary(shown.map { ($0.track, $0.row) }) { first, _ in first }
        var items = try (read ?? catalogue.tracks(ids:))(shown.map(\.track))
        for place in items.indices {
            items[place].listening = rows[items[place].id].flatMap { states[$0] } ?? ListeningState()
        }
        return CataloguePage(items: items, total: places.count, limit: limit, offset: offset)
    }

    /// The listening states in some rows of `listened`, by the rows' ids: quicker than by tracks, which are far apart in a large library.
    private func states(ofRows ids: [Int]) throws -> [Int: ListeningState] {
        let found = try database.fetchAll(
            "\(Self.columns), id FROM listened WHERE id IN (SELECT value FROM json_each(?))",
            [NumberList(ids)]
        ) { row -> (Int, ListeningState) in (try row["id"], try Self.state(row)) }
        return Dictionary(found) { first, _ in first }
    }

    /// The number of plays of each available track that was played.
    package func playCounts() throws -> PlayCounts {
        let tracks = try PlayedTracks.current(self)
        var counts = PlayCounts(trackIDs: [], playCounts: [])
        for row in try listenedTracks(.mostPlayed) {
            guard let track = tracks[row.id]?.track else { continue }
            counts.trackIDs.append(track)
            counts.playCounts.append(row.plays)
        }
        return counts
    }

    /// A page of albums.
    package func albums(_ list: ListeningList, limit: Int, offset: Int) throws -> CataloguePage<AlbumItem> {
        try page(.album, list, limit, offset) { try albums(ids: $0) }
    }

    /// A page of artists.
    package func artists(_ list: ListeningList, limit: Int, offset: Int) throws -> CataloguePage<ArtistItem> {
        try page(.artist, list, limit, offset) { ids in try ids.compactMap { try artist(id: $0) } }
    }

    /// A page of artists, without the plays of their tracks.
    package func starredArtists(limit: Int) throws -> [ArtistItem] {
        try page(.artist, .starred, limit, 0) { try withMarks(catalogue.artistItems(ids: $0)) }.items
    }

    private func page<Item>(
        _ kind: ListenedKind, _ list: ListeningList, _ limit: Int, _ offset: Int,
        items: ([Int]) throws -> [Item]
    ) throws -> CataloguePage<Item> {
        let ids: [Int] =
            switch list {
            case .starred, .rated: try database.values(query(kind, list))
            case .mostPlayed, .recentlyPlayed: try played(kind, list)
            }
        return CataloguePage(
            items: try items(Array(ids.dropFirst(offset).prefix(limit))), total: ids.count, limit: limit,
            offset: offset)
    }

    /// The rows of `listened` of a list of tracks, in its order. An index has all that is read.
    private func listenedTracks(_ list: ListeningList) throws -> [(id: Int, plays: Int, lastAt: Int)] {
        try database.fetchAll(
            """
            SELECT id, play_count, coalesce(last_played_at_ms, 0) AS last_at_ms FROM listened
            WHERE \(isOwn) AND kind = 'track' AND \(Self.condition(list))
            ORDER BY \(Self.order(list)), listened.id DESC
            """
        ) { (try $0["id"], try $0["play_count"], try $0["last_at_ms"]) }
    }

    /// The albums or artists of played tracks.
    private func played(_ kind: ListenedKind, _ list: ListeningList) throws -> [Int] {
        let tracks = try PlayedTracks.current(self)
        var plays: [Int: (count: Int, lastAt: Int)] = [:]
        for row in try listenedTracks(.mostPlayed) {
            guard let place = tracks[row.id] else { continue }
            let id = kind == .album ? place.album : place.artist
            guard id != 0 else { continue }
            let known = plays[id] ?? (0, 0)
            plays[id] = (known.count + row.plays, max(known.lastAt, row.lastAt))
        }
        return plays.sorted { a, b in
            list == .mostPlayed && a.value.count != b.value.count
                ? a.value.count > b.value.count : (a.value.lastAt, a.key) > (b.value.lastAt, b.key)
        }.map(\.key)
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
        return """
            SELECT \(table).id FROM listened CROSS JOIN \(table) ON \(table).\(key) = listened.place
            WHERE \(isOwn) AND kind = '\(kind.rawValue)' AND \(Self.condition(list))
                AND EXISTS (\(kind.playable("listened.place")))
            ORDER BY \(Self.order(list)), listened.id DESC
            """
    }
}

extension AccountListening {
    /// Reads the listening data in one transaction.
    package func look<Value>(_ body: (ListeningReader) throws -> Value) throws -> Value {
        try store.read { try body(ListeningReader(database: $0, accountID: accountID, smart: store.smart)) }
    }
}
