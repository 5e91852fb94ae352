public import Foundation
internal import SQLiteDatabase

/// A playlist of the catalogue.
public struct CataloguePlaylist: Sendable, Equatable, Identifiable {
    /// The playlist's number.
    public var id: Int
    /// Its name; no two playlists have the same.
    public var name: String
    /// The tracks' ids in order, those that cannot be played at the moment too.
    public var trackIDs: [Int]
    /// When it last changed.
    public var changedAt: Date

    /// Makes a playlist.
    public init(id: Int, name: String, trackIDs: [Int], changedAt: Date) {
        self.id = id
        self.name = name
        self.trackIDs = trackIDs
        self.changedAt = changedAt
    }
}

extension LibraryStore {
    /// Stores a playlist under its name, in place of one that has the name already.
    /// - Returns: the playlist's id.
    /// - Throws: `DatabaseError.constraint` if one of the tracks does not exist; nothing is changed then.
    @discardableResult
    public func savePlaylist(name: String, trackIDs: [Int], now: Date = Date()) throws -> Int {
        try write { database in
            try database.execute(
                """
                INSERT INTO playlists (name, created_at_ms, changed_at_ms) VALUES (?1, ?2, ?2)
                ON CONFLICT (name) DO UPDATE SET changed_at_ms = excluded.changed_at_ms
                """, [name, now.storedMilliseconds])
            let id: Int? = try database.scalar("SELECT id FROM playlists WHERE name = ?", [name])
            guard let id else { throw StoreError(.notFound, "the playlist was not stored") }
            try database.execute("DELETE FROM playlist_entries WHERE playlist_id = ?", [id])
            for (position, track) in trackIDs.enumerated() {
                try database.execute(
                    "INSERT INTO playlist_entries (playlist_id, position, track_id) VALUES (?, ?, ?)",
                    [id, position, track])
            }
            return id
        }
    }

    /// Removes a playlist. Its tracks stay.
    /// - Throws: `notFound` if there is no such playlist.
    public func removePlaylist(id: Int) throws {
        try write { database in
            try database.execute("DELETE FROM playlists WHERE id = ?", [id])
            guard database.changedRowCount == 1 else {
                throw StoreError(.notFound, "there is no playlist \(id)")
            }
        }
    }

    /// All playlists by name.
    public func playlists() throws -> [CataloguePlaylist] {
        try read { database in
            try database.fetchAll("SELECT id, name, changed_at_ms FROM playlists ORDER BY name") { row in
                let id: Int = try row[0]
                let tracks = try database.fetchAll(
                    "SELECT track_id FROM playlist_entries WHERE playlist_id = ? ORDER BY position", [id]
                ) { entry -> Int in try entry[0] }
                return CataloguePlaylist(
                    id: id, name: try row[1], trackIDs: tracks,
                    changedAt: Date(storedMilliseconds: try row[2]))
            }
        }
    }
}
