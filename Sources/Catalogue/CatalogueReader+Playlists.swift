package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// Returns a page of the playlists. A search requires all words in the name.
    /// - Parameter accountID: the account that sees the page: its own playlists and public ones; nil for all.
    package func playlists(
        _ query: CatalogueQuery<PlaylistSort>, visibleTo accountID: Int? = nil
    ) throws -> CataloguePage<PlaylistItem> {
        var selection = CatalogueSelection("playlists", where: "1")
        selection.isShort = true
        if let accountID {
            selection.narrow("(playlists.is_public OR playlists.owner_id = ?)", accountID)
        }
        for word in (query.text ?? "").split(whereSeparator: \.isWhitespace).prefix(32) {
            selection.narrow("playlists.name LIKE ? ESCAPE '\\'", SearchText(String(word)).pattern)
        }
        switch query.sort {
        case .name: selection.terms = ["playlists.name_sort"]
        case .added: selection.terms = []
        case .changed: selection.terms = ["playlists.changed_at_ms"]
        }
        return try page(selection, of: query) { ids in try ids.compactMap { try playlistItem(id: $0) } }
    }

    /// A playlist with a page of its entries; nil if it does not exist.
    /// - Parameter accountID: the account that reads it: another's private playlist does not exist for it. Nil for any.
    package func playlist(
        id: Int, limit: Int, offset: Int, visibleTo accountID: Int? = nil
    ) throws -> PlaylistItem? {
        guard try isPlaylist(id, visibleTo: accountID), var playlist = try playlistItem(id: id) else {
            return nil
        }
        let tracks = try trackIDs(playlistID: id)
        playlist.trackIDs = tracks
        let shown = tracks.enumerated().dropFirst(offset).prefix(limit)
        let items = try self.tracks(ids: shown.map(\.element))
        let byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        let entries = shown.compactMap { position, trackID in
            byID[trackID].map { PlaylistItem.Entry(position: position, track: $0) }
        }
        playlist.entries = CataloguePage(items: entries, total: tracks.count, limit: limit, offset: offset)
        return playlist
    }

    /// Whether a playlist exists and an account sees it: its own, or a public one; nil for any account.
    package func isPlaylist(_ id: Int, visibleTo accountID: Int?) throws -> Bool {
        let isVisible: Bool? = try database.scalar(
            "SELECT is_public OR owner_id = coalesce(?2, owner_id) FROM playlists WHERE id = ?1",
            [id, accountID])
        return isVisible ?? false
    }

    /// Identifies the state of a playlist: its name, description, visibility and tracks. Never reused.
    /// Nil if there is no such playlist.
    package func playlistTag(id: Int) throws -> String? {
        try database.scalar(
            """
            SELECT epoch || '-' || playlists.id || '-' || playlists.revision FROM playlists, library_state
            WHERE playlists.id = ?
            """, [id])
    }

    /// Identifies the state of what a smart playlist's rules depend on; nil for an ordinary one.
    package func smartState(playlistID: Int) throws -> String? {
        try smartTracks(playlistID)?.state
    }

    /// The tracks of a smart playlist; nil for an ordinary one.
    private func smartTracks(_ id: Int) throws -> SmartTracks? {
        guard let smart else { return nil }
        let isSmart: Bool? = try database.scalar("SELECT 1 FROM smart_playlists WHERE playlist_id = ?", [id])
        return isSmart == nil ? nil : try smart.tracks(ofPlaylist: id)
    }

    /// The state of all that smart playlists depend on; nil if there is no smart playlist.
    package func smartState() throws -> String? {
        guard smart != nil else { return nil }
        let first: Int? = try database.scalar("SELECT min(playlist_id) FROM smart_playlists")
        return try first.flatMap { try smartState(playlistID: $0) }
    }

    /// The tracks of a playlist in order, including unavailable ones; those of a smart playlist are available.
    package func trackIDs(playlistID: Int) throws -> [Int] {
        if let found = try smartTracks(playlistID) { return found.ids }
        return try database.values(
            "SELECT track_id FROM playlist_entries WHERE playlist_id = ? ORDER BY position", [playlistID])
    }

    private func playlistItem(id: Int) throws -> PlaylistItem? {
        guard var playlist = try storedPlaylist(id: id) else { return nil }
        if let found = try smartTracks(id) {
            playlist.rules = found.rules
            playlist.trackCount = found.ids.count
            playlist.durationSeconds = found.durationSeconds.rounded(in: .seconds)
        }
        return playlist
    }

    private func storedPlaylist(id: Int) throws -> PlaylistItem? {
        try database.fetchOne(
            """
            SELECT id, name, description, revision, created_at_ms, changed_at_ms,
                (SELECT count(*) FROM playlist_entries WHERE playlist_id = playlists.id) AS track_count,
                (SELECT total(analyses.duration_seconds) FROM playlist_entries
                    JOIN tracks ON tracks.id = playlist_entries.track_id
                    JOIN analyses ON analyses.audio_hash = tracks.audio_hash
                    WHERE playlist_entries.playlist_id = playlists.id) AS total_seconds,
                owner_id, is_public
            FROM playlists WHERE id = ?
            """, [id]
        ) { row -> PlaylistItem in
            let created: Int = try row["created_at_ms"]
            let changed: Int = try row["changed_at_ms"]
            let seconds: Double = try row["total_seconds"]
            var playlist = PlaylistItem(
                id: try row["id"], name: try row["name"], description: try row["description"],
                revision: try row["revision"], trackCount: try row["track_count"],
                durationSeconds: seconds.rounded(in: .seconds),
                createdAt: Double(created) / 1000, changedAt: Double(changed) / 1000)
            playlist.ownerID = try row["owner_id"]
            playlist.isPublic = try row["is_public"] as Bool
            return playlist
        }
    }
}
