internal import Catalogue
package import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization

extension StoreError.Code {
    /// Another playlist of the account has this name.
    package static let nameTaken = StoreError.Code(rawValue: "name_taken")
    /// A track to be added to a playlist does not exist.
    package static let noSuchTrack = StoreError.Code(rawValue: "no_such_track")
    /// The playlist has changed since the client read it.
    package static let changedMeanwhile = StoreError.Code(rawValue: "changed_meanwhile")
    /// The playlist belongs to another account.
    package static let notOwner = StoreError.Code(rawValue: "not_owner")
    /// The position is out of range.
    package static let badPosition = StoreError.Code(rawValue: "bad_position")
    /// The playlist would have too many entries.
    package static let tooManyEntries = StoreError.Code(rawValue: "too_many_entries")
    /// The tracks of a smart playlist follow from its rules.
    package static let smartPlaylist = StoreError.Code(rawValue: "smart_playlist")
    /// An ordinary playlist has no rules.
    package static let noRules = StoreError.Code(rawValue: "no_rules")
    /// Another program has locked the library.
    package static let busy = StoreError.Code(rawValue: "busy")
}

/// The account that changes a playlist.
package struct PlaylistUser: Sendable, Equatable {
    /// The account's id.
    package var accountID: Int
    /// Whether it may change the public playlists of others.
    package var isHostOwner: Bool

    /// Memberwise initializer.
    package init(accountID: Int, isHostOwner: Bool) {
        self.accountID = accountID
        self.isHostOwner = isHostOwner
    }

    /// The account of a caller.
    package init(_ account: Account) {
        self.init(accountID: account.id, isHostOwner: account.role == .owner)
    }

    /// The account of the host's API key.
    package static let main = PlaylistUser(accountID: Account.mainID, isHostOwner: true)
}

/// Changes the playlists of a library together with those of other hosts.
protocol SharedPlaylists: Sendable {
    /// Changes playlists here and on all other hosts, or nowhere.
    /// - Parameters:
    ///   - id: a playlist all of whose tracks are replaced.
    ///   - body: changes the library, which has the changes of other hosts.
    /// - Throws: errors of the closure; ``SharedListeningError``.
    func write<Value: Sendable>(
        _ library: LibraryStore, replacing id: Int?, _ body: (Database) throws -> Value
    ) throws -> Value

    /// Copies what other hosts have changed into the library.
    func update(_ library: LibraryStore) throws
}

/// Playlists are changed only by these methods. A pass does not touch them, and a missing track
/// keeps its entries.
extension LibraryStore {
    /// Creates a playlist.
    /// - Parameters:
    ///   - ownerID: the account that it belongs to.
    ///   - isPublic: whether all accounts see it.
    ///   - rules: the rules of a smart playlist, which has no tracks of its own; nil for an ordinary one.
    /// - Returns: its id.
    /// - Throws: `SmartRulesError` if the rules are not valid, `nameTaken`, `noSuchTrack`, `tooManyEntries`, `busy`;
    ///   ``SharedListeningError`` if hosts share the playlists and the shared data is away; nothing is stored then.
    package func makePlaylist(
        name: String, description: String? = nil, trackIDs: [Int] = [], ownerID: Int = Account.mainID,
        isPublic: Bool = false, rules: SmartRules? = nil, now: Date = Date()
    ) throws -> Int {
        try writePlaylists { database in
            try Self.requireFree(name, of: ownerID, for: nil, database)
            try database.execute(
                """
                INSERT INTO playlists
                    (name, name_sort, description, created_at_ms, changed_at_ms, owner_id, is_public)
                VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6)
                """,
                [name, SortKey.key(name), description, now.storedMilliseconds, ownerID, isPublic])
            let id = Int(database.lastInsertRowID)
            try Self.store(trackIDs, playlistID: id, database)
            if let rules { try Self.store(rules, ofPlaylist: id, ownerID: ownerID, database) }
            return id
        }
    }

    /// Changes a playlist: applies all edits or none.
    /// - Parameters:
    ///   - user: the account that changes it: its owner, or an owner of the host for a public one.
    ///   - tags: the change is only made if the playlist's tag (``CatalogueReader/playlistTag(id:)``)
    ///     is one of these; nil for any tag.
    /// - Throws: `notFound`, also for another's private playlist; `notOwner`, `changedMeanwhile`, `nameTaken`, `noSuchTrack`, `badPosition`, `tooManyEntries`,
    ///   `smartPlaylist` and `noRules` for changes of the other kind of playlist, `SmartRulesError`, `busy`, ``SharedListeningError``;
    ///   nothing has been changed then.
    package func editPlaylist(
        id: Int, by user: PlaylistUser = .main, ifTag tags: [String]? = nil, _ edits: [PlaylistEdit],
        now: Date = Date()
    ) throws {
        try writePlaylists(replacing: edits.contains(where: \.replacesTracks) ? id : nil) { database in
            let ownerID = try Self.require(id, user, tags, database)
            let isSmart = try SmartPlaylists.stored(id, database) != nil
            guard !isSmart || !edits.contains(where: \.changesTracks) else {
                throw StoreError(
                    .smartPlaylist,
                    "the tracks of a smart playlist follow from its rules; change these instead")
            }
            var tracks = try CatalogueReader(database: database).trackIDs(playlistID: id)
            for edit in edits {
                tracks = try edit.applied(to: tracks)
                switch edit {
                case .rename(let name):
                    try Self.requireFree(name, of: ownerID, for: id, database)
                    try database.execute(
                        "UPDATE playlists SET name = ?, name_sort = ? WHERE id = ?",
                        [name, SortKey.key(name), id])
                case .describe(let text):
                    try database.execute("UPDATE playlists SET description = ? WHERE id = ?", [text, id])
                case .publish(let isPublic):
                    try database.execute("UPDATE playlists SET is_public = ? WHERE id = ?", [isPublic, id])
                case .setRules(let rules):
                    guard isSmart else {
                        throw StoreError(
                            .noRules, "the playlist is not smart: it has tracks instead of rules")
                    }
                    try Self.store(rules, ofPlaylist: id, ownerID: ownerID, database)
                case .replace, .insert, .move, .remove: break
                }
            }
            if edits.contains(where: \.changesTracks) {
                try Self.store(tracks, playlistID: id, database)
            }
            try database.execute(
                "UPDATE playlists SET revision = revision + 1, changed_at_ms = ? WHERE id = ?",
                [now.storedMilliseconds, id])
        }
    }

    /// Removes a playlist, but not its tracks.
    /// - Parameters: as for a change.
    /// - Throws: `notFound`, `notOwner`, `changedMeanwhile`, `busy`, ``SharedListeningError``.
    package func removePlaylist(id: Int, by user: PlaylistUser = .main, ifTag tags: [String]? = nil) throws {
        try writePlaylists { database in
            _ = try Self.require(id, user, tags, database)
            try database.execute("DELETE FROM playlists WHERE id = ?", [id])
        }
    }

    /// Removes all playlists of a deleted account.
    package func removePlaylists(ofAccount accountID: Int) throws {
        try writePlaylists { database in
            try database.execute("DELETE FROM playlists WHERE owner_id = ?", [accountID])
        }
    }

    /// Gives the library a new revision, so that copies which hold more than their readers may see are made again.
    package func invalidateCopies() throws {
        try write { database in
            try database.execute("UPDATE library_state SET revision = revision + 1")
        }
    }

    /// - Parameter id: a playlist all of whose tracks are replaced.
    private func writePlaylists<Value: Sendable>(
        replacing id: Int? = nil, _ body: (Database) throws -> Value
    ) throws -> Value {
        do {
            if let sharing = playlistSharing.withLock({ $0 }) {
                return try sharing.write(self, replacing: id, body)
            }
            return try write(body)
        } catch let error as DatabaseError where error.code == .busy {
            throw StoreError(.busy, "the library is locked by another program; try again in a moment")
        }
    }

    /// Checks that a user may change a playlist, and that it has one of some tags.
    /// - Returns: the account that it belongs to.
    private static func require(
        _ id: Int, _ user: PlaylistUser, _ tags: [String]?, _ database: Database
    ) throws -> Int {
        let reader = CatalogueReader(database: database)
        let ownerID: Int? = try database.scalar("SELECT owner_id FROM playlists WHERE id = ?", [id])
        guard let ownerID, try reader.isPlaylist(id, visibleTo: user.accountID),
            let tag = try reader.playlistTag(id: id)
        else { throw StoreError(.notFound, "no such playlist: \(id)") }
        guard ownerID == user.accountID || user.isHostOwner else {
            throw StoreError(.notOwner, "the playlist belongs to another account; only its owner changes it")
        }
        guard tags?.contains(tag) ?? true else {
            throw StoreError(.changedMeanwhile, "the playlist has changed since it was read (ETag mismatch)")
        }
        return ownerID
    }

    private static func requireFree(
        _ name: String, of ownerID: Int, for id: Int?, _ database: Database
    ) throws {
        let holder: Int? = try database.scalar(
            "SELECT id FROM playlists WHERE owner_id = ? AND name = ?", [ownerID, name])
        guard holder == nil || holder == id else {
            throw StoreError(.nameTaken, "a playlist with this name already exists")
        }
    }

    /// Puts one track in the place of another in all playlists.
    package func replaceInPlaylists(_ lost: Int, by kept: Int, now: Date = Date()) throws {
        try writePlaylists { database in
            try database.execute(
                """
                UPDATE playlists SET revision = revision + 1, changed_at_ms = ?
                WHERE id IN (SELECT playlist_id FROM playlist_entries WHERE track_id = ?)
                """, [now.storedMilliseconds, lost])
            try database.execute(
                "UPDATE playlist_entries SET track_id = ? WHERE track_id = ?", [kept, lost])
        }
    }

    private static func store(
        _ rules: SmartRules, ofPlaylist id: Int, ownerID: Int, _ database: Database
    ) throws {
        try SmartPlaylists.check(rules, accountID: ownerID, of: id, database)
        try database.execute(
            "INSERT OR REPLACE INTO smart_playlists (playlist_id, rules) VALUES (?, ?)",
            [id, try SmartPlaylists.text(rules)])
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
        try replaceEntries(ofPlaylist: playlistID, by: tracks, database)
    }

    /// Replaces all entries of a playlist, whose tracks exist.
    static func replaceEntries(ofPlaylist id: Int, by tracks: [Int], _ database: Database) throws {
        try database.execute("DELETE FROM playlist_entries WHERE playlist_id = ?", [id])
        for (position, track) in tracks.enumerated() {
            try database.execute(
                "INSERT INTO playlist_entries (playlist_id, position, track_id) VALUES (?, ?, ?)",
                [id, position, track])
        }
    }
}
