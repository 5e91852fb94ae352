internal import Catalogue
public import Foundation
internal import MusicShared
internal import SQLiteDatabase

extension StoreError.Code {
    /// Another playlist has this name.
    public static let nameTaken = StoreError.Code(rawValue: "name_taken")
    /// A track to be added to a playlist does not exist.
    public static let noSuchTrack = StoreError.Code(rawValue: "no_such_track")
    /// The playlist has changed since the client read it.
    public static let changedMeanwhile = StoreError.Code(rawValue: "changed_meanwhile")
    /// The position is out of range.
    public static let badPosition = StoreError.Code(rawValue: "bad_position")
    /// The playlist would have too many entries.
    public static let tooManyEntries = StoreError.Code(rawValue: "too_many_entries")
    /// Another program has locked the library.
    public static let busy = StoreError.Code(rawValue: "busy")
}

/// Playlists are changed only by these methods. A pass does not touch them, and a missing track
/// keeps its entries.
extension LibraryStore {
    /// Creates a playlist.
    /// - Returns: its id.
    /// - Throws: `nameTaken`, `noSuchTrack`, `tooManyEntries`, `busy`; nothing is stored then.
    public func makePlaylist(
        name: String, description: String? = nil, trackIDs: [Int] = [], now: Date = Date()
    ) throws -> Int {
        try writePlaylists { database in
            try Self.requireFree(name, for: nil, database)
            try database.execute(
                """
                INSERT INTO playlists (name, name_sort, description, created_at_ms, changed_at_ms)
                VALUES (?1, ?2, ?3, ?4, ?4)
                """, [name, SortKey.key(name), description, now.storedMilliseconds])
            let id = Int(database.lastInsertRowID)
            try Self.store(trackIDs, playlistID: id, database)
            return id
        }
    }

    /// Changes a playlist: applies all edits or none.
    /// - Parameter tags: the change is only made if the playlist's tag (``CatalogueReader/playlistTag(id:)``)
    ///   is one of these; nil for any tag.
    /// - Throws: `notFound`, `changedMeanwhile`, `nameTaken`, `noSuchTrack`, `badPosition`, `tooManyEntries`,
    ///   `busy`; nothing has been changed then.
    public func editPlaylist(
        id: Int, ifTag tags: [String]? = nil, _ edits: [PlaylistEdit], now: Date = Date()
    ) throws {
        try writePlaylists { database in
            try Self.require(id, tags, database)
            var tracks = try CatalogueReader(database: database).trackIDs(playlistID: id)
            for edit in edits {
                tracks = try edit.applied(to: tracks)
                switch edit {
                case .rename(let name):
                    try Self.requireFree(name, for: id, database)
                    try database.execute(
                        "UPDATE playlists SET name = ?, name_sort = ? WHERE id = ?",
                        [name, SortKey.key(name), id])
                case .describe(let text):
                    try database.execute("UPDATE playlists SET description = ? WHERE id = ?", [text, id])
                case .replace, .insert, .move, .remove: break
                }
            }
            if edits.contains(where: \.changesTracks) {
                try database.execute("DELETE FROM playlist_entries WHERE playlist_id = ?", [id])
                try Self.store(tracks, playlistID: id, database)
            }
            try database.execute(
                "UPDATE playlists SET revision = revision + 1, changed_at_ms = ? WHERE id = ?",
                [now.storedMilliseconds, id])
        }
    }

    /// Removes a playlist, but not its tracks.
    /// - Parameter tags: as for a change.
    /// - Throws: `notFound`, `changedMeanwhile`, `busy`.
    public func removePlaylist(id: Int, ifTag tags: [String]? = nil) throws {
        try writePlaylists { database in
            try Self.require(id, tags, database)
            try database.execute("DELETE FROM playlists WHERE id = ?", [id])
        }
    }

    private func writePlaylists<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try write(body)
        } catch let error as DatabaseError where error.code == .busy {
            throw StoreError(.busy, "the library is locked by another program; try again in a moment")
        }
    }

    private static func require(_ id: Int, _ tags: [String]?, _ database: Database) throws {
        guard let tag = try CatalogueReader(database: database).playlistTag(id: id) else {
            throw StoreError(.notFound, "no such playlist: \(id)")
        }
        guard tags?.contains(tag) ?? true else {
            throw StoreError(.changedMeanwhile, "the playlist has changed since it was read (ETag mismatch)")
        }
    }

    private static func requireFree(_ name: String, for id: Int?, _ database: Database) throws {
        let holder: Int? = try database.scalar("SELECT id FROM playlists WHERE name = ?", [name])
        guard holder == nil || holder == id else {
            throw StoreError(.nameTaken, "a playlist with this name already exists")
        }
    }

    private static func store(_ tracks: [Int], playlistID: Int, _ database: Database) throws {
        guard tracks.count <= CatalogueLimits.playlistEntries else {
            throw StoreError(
                .tooManyEntries, "a playlist can have at most \(CatalogueLimits.playlistEntries) entries")
        }
        for track in Set(tracks).sorted() {
            let isThere: Bool? = try database.scalar("SELECT 1 FROM tracks WHERE id = ?", [track])
            guard isThere == true else { throw StoreError(.noSuchTrack, "no such track: \(track)") }
        }
        for (position, track) in tracks.enumerated() {
            try database.execute(
                "INSERT INTO playlist_entries (playlist_id, position, track_id) VALUES (?, ?, ?)",
                [playlistID, position, track])
        }
    }
}
