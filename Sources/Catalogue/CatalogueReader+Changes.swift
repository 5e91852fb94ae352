package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// The current state of tracks, albums and artists.
    package var catalogueRevision: CatalogueRevision {
        get throws {
            let newest = try database.fetchOne(
                "SELECT revision, mark FROM catalogue_changes ORDER BY revision DESC LIMIT 1"
            ) { row in CatalogueRevision(number: try row["revision"], mark: try row["mark"]) }
            guard let newest else {
                throw DatabaseError(
                    .corrupt, message: "the library has no change log", path: database.path)
            }
            return newest
        }
    }

    /// Returns the changes since a state.
    ///
    /// Items are returned as they are now, not as they were after the change. Items that change between two
    /// calls are returned again.
    /// - Parameters:
    ///   - state: the state that the client knows; nil if none.
    ///   - limit: the maximum number of changes to process; the result has at most as many tracks, and less
    ///     than three times as many albums and artists.
    package func changes(since state: CatalogueRevision?, limit: Int) throws -> CatalogueChanges {
        let newest = try catalogueRevision
        guard let state, try isKnown(state) else {
            return CatalogueChanges(revision: newest.description, isReset: true)
        }
        let found = try database.fetchAll(
            """
            SELECT revision, mark, track_id, album_id, artist_id FROM catalogue_changes
            WHERE revision > ? ORDER BY revision LIMIT ?
            """, [state.number, limit]
        ) { row in
            Change(
                revision: CatalogueRevision(number: try row["revision"], mark: try row["mark"]),
                track: try row["track_id"], album: try row["album_id"], artist: try row["artist_id"])
        }
        let last = found.last?.revision ?? state
        var changes = CatalogueChanges(revision: last.description, hasMore: last != newest)
        try fill(&changes, from: found)
        if !changes.hasMore { changes.totals = try totals }
        return changes
    }

    /// Returns the ids of the tracks that may have changed since a state, in no particular order; nil if the state is not
    /// known or there are more changes than a limit.
    package func changedTrackIDs(since state: CatalogueRevision, limit: Int) throws -> [Int]? {
        guard try isKnown(state) else { return nil }
        let ids: [Int] = try database.values(
            "SELECT coalesce(track_id, 0) FROM catalogue_changes WHERE revision > ? LIMIT ?",
            [state.number, limit + 1])
        return ids.count > limit ? nil : Array(Set(ids))
    }

    /// Whether this library ever had a state, and still has the changes since then.
    private func isKnown(_ state: CatalogueRevision) throws -> Bool {
        let mark: Int? = try database.scalar(
            "SELECT mark FROM catalogue_changes WHERE revision = ?", [state.number])
        return mark == state.mark
    }

    private func fill(_ changes: inout CatalogueChanges, from found: [Change]) throws {
        let tracks = Set(found.compactMap(\.track))
        var albums = Set(found.compactMap(\.album))
        var artists = Set(found.compactMap(\.artist))
        for id in tracks.sorted() {
            // A track with a missing file is not in any list, but still counts for its album and its artist.
            let track = try track(id: id)
            if let track, track.isAvailable {
                changes.tracks.append(track)
            } else {
                changes.removed.tracks.append(id)
            }
            if let album = track?.albumID { albums.insert(album) }
            if let artist = track?.artistID { artists.insert(artist) }
        }
        for id in albums.sorted() {
            if let album = try albumItem(id: id) {
                changes.albums.append(album)
            } else {
                changes.removed.albums.append(id)
            }
            artists.formUnion(try artistsWhoMayHaveGained(albumID: id, changed: tracks))
        }
        for id in artists.sorted() {
            if let artist = try artistItem(id: id) {
                changes.artists.append(artist)
            } else {
                changes.removed.artists.append(id)
            }
        }
    }

    /// Artists who have gained or lost an album because its tracks have changed.
    ///
    /// An album without an album artist belongs to the artist that all its tracks share: now, and before the
    /// changes. The earlier artist is that of any unchanged track; if all have changed, the changes contain
    /// the artist of each.
    private func artistsWhoMayHaveGained(albumID: Int, changed: Set<Int>) throws -> [Int] {
        if let artist: Int = try database.scalar("SELECT artist_id FROM albums WHERE id = ?", [albumID]) {
            return [artist]
        }
        var artists: [Int] = []
        if let artist = try albumItem(id: albumID)?.artistID { artists.append(artist) }
        // Reads at most one row more than have changed.
        let unchanged = try database.fetchAll(
            "SELECT id, artist_id FROM tracks WHERE album_id = ? AND unavailable_since_ms IS NULL LIMIT ?",
            [albumID, changed.count + 1]
        ) { row -> (id: Int, artistID: Int?) in (try row["id"], try row["artist_id"]) }
        .first { !changed.contains($0.id) }
        if let artist = unchanged?.artistID { artists.append(artist) }
        return artists
    }

    private var totals: CatalogueChanges.Totals {
        get throws {
            CatalogueChanges.Totals(
                tracks: try tracks(CatalogueQuery(sort: .title, limit: 0)).total,
                albums: try albums(CatalogueQuery(sort: .title, limit: 0)).total,
                artists: try artists(CatalogueQuery(sort: .name, limit: 0)).total)
        }
    }

    /// A row of `catalogue_changes`: items that may have changed, and what a track belonged to before.
    private struct Change {
        var revision: CatalogueRevision
        var track: Int?
        var album: Int?
        var artist: Int?
    }
}
