internal import Analyzer
internal import MusicShared
internal import SQLiteDatabase

/// The track, album or artist that an action refers to.
struct ListeningItem {
    /// Maximum number of members stored for an album or an artist.
    private static let memberCount = 100

    /// The account whose action it is.
    var accountID: Int
    var kind: ListenedKind
    var hash: [UInt8] = []
    var place: String
    var title: String?
    var artist: String?
    var album: String?
    /// Audio hashes of the tracks of an album or an artist.
    var members: [[UInt8]] = []
    /// Paths of all available tracks with the same audio.
    var paths: [String] = []
    /// The id in the library; nil if the item is no longer there.
    var number: Int?

    /// Finds the item that an action refers to.
    /// - Throws: ``ListeningResults/Refusal`` if there is no such item, or the action names several.
    static func find(
        _ action: ListeningAction, ofAccount accountID: Int, _ database: Database
    ) throws -> ListeningItem {
        let fields: [(String, Bool)] = [
            ("track_id", action.trackID != nil), ("relative_path", action.relativePath != nil),
            ("audio_hash", action.audioHash != nil), ("album_id", action.albumID != nil),
            ("artist_id", action.artistID != nil),
        ]
        let named = fields.filter(\.1).map(\.0)
        guard named.count == 1, let field = named.first else {
            throw ListeningResults.Refusal(
                "invalid_field", "Specify exactly one of: \(fields.map(\.0).joined(separator: ", ")).",
                field: named.dropFirst().first)
        }
        func refusal(_ code: String, _ message: String) -> ListeningResults.Refusal {
            ListeningResults.Refusal(code, message, field: field)
        }
        let found: ListeningItem?
        if let id = action.albumID {
            found = try group(.album, id, accountID, database)
        } else if let id = action.artistID {
            found = try group(.artist, id, accountID, database)
        } else if let id = action.trackID {
            found = try track("id = ?", id, accountID, database)
        } else if let text = action.relativePath {
            found = try RelativePath(text: text).flatMap {
                try track("relative_path = ?", $0.text, accountID, database)
            }
        } else {
            guard let hash = action.audioHash.flatMap({ AudioHash(hex: $0) }) else {
                throw refusal("invalid_field", "audio_hash must be 32 hexadecimal digits.")
            }
            found =
                try track("audio_hash = ?", hash.bytes, accountID, database)
                ?? gone(hash.bytes, accountID, database)
        }
        guard let found else {
            switch field {
            case "album_id": throw refusal("no_such_album", "There is no album with this id.")
            case "artist_id": throw refusal("no_such_artist", "There is no artist with this id.")
            default: throw refusal("no_such_track", "The library has no such track.")
            }
        }
        return found
    }

    private static func track(
        _ condition: String, _ value: any DatabaseBindable, _ accountID: Int, _ database: Database
    ) throws -> ListeningItem? {
        // If several files have the same audio, prefer an available one, then the one that was listened to
        // first.
        let found = try database.fetchOne(
            """
            SELECT audio_hash, relative_path, title, coalesce(artist, album_artist) AS shown_artist, album, id
            FROM tracks WHERE \(condition.replacing("?", with: "?1")) ORDER BY unavailable_since_ms IS NOT NULL,
                NOT EXISTS (SELECT 1 FROM listened WHERE kind = 'track' AND audio_hash = tracks.audio_hash
                    AND place = tracks.relative_path AND account_id = ?2), id
            LIMIT 1
            """, [value, accountID]
        ) { row in
            ListeningItem(
                accountID: accountID, kind: .track, hash: try row["audio_hash"],
                place: try row["relative_path"], title: try row["title"], artist: try row["shown_artist"],
                album: try row["album"], number: try row["id"])
        }
        guard var item = found else { return nil }
        item.paths = try database.values(
            "SELECT relative_path FROM tracks WHERE audio_hash = ? AND +unavailable_since_ms IS NULL",
            [item.hash])
        return item
    }

    /// A track that was listened to and is no longer in the library.
    private static func gone(
        _ hash: [UInt8], _ accountID: Int, _ database: Database
    ) throws -> ListeningItem? {
        try database.fetchOne(
            """
            SELECT place FROM listened WHERE kind = 'track' AND audio_hash = ? AND account_id = ?
            ORDER BY id LIMIT 1
            """, [hash, accountID]
        ) { ListeningItem(accountID: accountID, kind: .track, hash: hash, place: try $0["place"]) }
    }

    private static func group(
        _ kind: ListenedKind, _ id: Int, _ accountID: Int, _ database: Database
    ) throws -> ListeningItem? {
        let query =
            kind == .album
            ? """
            SELECT album_key AS place, title, (SELECT name FROM artists WHERE id = albums.artist_id) AS artist
            FROM albums WHERE id = ?
            """ : "SELECT name_key AS place, name AS title, name AS artist FROM artists WHERE id = ?"
        let found = try database.fetchOne(query, [id]) { row in
            ListeningItem(
                accountID: accountID, kind: kind, place: try row["place"], title: try row["title"],
                artist: try row["artist"], number: id)
        }
        guard var item = found else { return nil }
        item.members = try database.values(
            """
            SELECT DISTINCT audio_hash FROM tracks
            WHERE \(kind == .album ? "album_id" : "artist_id") = ? AND +unavailable_since_ms IS NULL
            ORDER BY id LIMIT \(memberCount)
            """, [id])
        return item
    }

    /// Returns the id of the item's row in the store; creates the row if necessary.
    func row(_ database: Database) throws -> Int {
        if let id = try knownRow(database) {
            try database.execute(
                """
                UPDATE listened SET title = ?2, artist = ?3, album = ?4
                WHERE id = ?1 AND ?5 AND (title IS NOT ?2 OR artist IS NOT ?3 OR album IS NOT ?4)
                """, [id, title, artist, album, number != nil])
            try remember(members, id, database)
            return id
        }
        try database.execute(
            """
            INSERT INTO listened (account_id, kind, audio_hash, place, title, artist, album)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, [accountID, kind.rawValue, hash, place, title, artist, album])
        let id = Int(database.lastInsertRowID)
        try remember(members, id, database)
        return id
    }

    private func knownRow(_ database: Database) throws -> Int? {
        let exact: Int? = try database.scalar(
            "SELECT id FROM listened WHERE kind = ? AND audio_hash = ? AND place = ? AND account_id = ?",
            [kind.rawValue, hash, place, accountID])
        if exact != nil || kind != .track { return exact }
        // The same audio with a path that no longer exists: the file has been moved.
        let others = try database.fetchAll(
            """
            SELECT id, place FROM listened WHERE kind = 'track' AND audio_hash = ? AND account_id = ?
            ORDER BY id
            """, [hash, accountID]
        ) { row -> (id: Int, place: String) in (try row["id"], try row["place"]) }
        guard let moved = others.first(where: { !paths.contains($0.place) }) else { return nil }
        try database.execute("UPDATE listened SET place = ? WHERE id = ?", [place, moved.id])
        return moved.id
    }

    private func remember(_ members: [[UInt8]], _ id: Int, _ database: Database) throws {
        for member in members {
            try database.execute(
                "INSERT OR IGNORE INTO listened_members (listened_id, audio_hash) VALUES (?, ?)",
                [id, member])
        }
    }
}
