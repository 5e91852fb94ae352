internal import Catalogue
internal import MusicShared
internal import SQLiteDatabase

/// A playlist without its tracks, as the library and the shared data have it.
struct PlaylistHead: Equatable {
    private static let columns = "id, owner_id, is_public, name, description, created_at_ms, changed_at_ms"

    var id: Int
    var ownerID: Int
    var isPublic: Bool
    var name: String
    var description: String?
    /// The rules of a smart playlist as they are stored; nil for an ordinary one.
    var rules: String?
    var revision: Int
    var createdAt: Int
    var changedAt: Int

    private init(_ row: borrowing Row) throws {
        id = try row["id"]
        ownerID = try row["owner_id"]
        isPublic = try row["is_public"]
        name = try row["name"]
        description = try row["description"]
        rules = try row["rules"]
        revision = try row["revision"]
        createdAt = try row["created_at_ms"]
        changedAt = try row["changed_at_ms"]
    }

    /// The playlists of a library, by id.
    static func ofLibrary(_ database: Database) throws -> [Int: PlaylistHead] {
        try all(
            """
            SELECT \(columns), revision, (SELECT rules FROM smart_playlists WHERE playlist_id = playlists.id) AS rules
            FROM playlists
            """, database)
    }

    /// The shared playlists, by id.
    static func shared(_ database: Database) throws -> [Int: PlaylistHead] {
        try all("SELECT \(columns), version AS revision, rules FROM main.shared_playlists", database)
    }

    private static func all(_ query: String, _ database: Database) throws -> [Int: PlaylistHead] {
        let found = try database.fetchAll(query) { try PlaylistHead($0) }
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether both are the same change of a playlist.
    func isSameChange(as other: PlaylistHead) -> Bool {
        revision == other.revision && changedAt == other.changedAt
    }

    /// Whether both are the same but for their changes.
    func hasSameContent(as other: PlaylistHead) -> Bool {
        var other = other
        (other.revision, other.changedAt) = (revision, changedAt)
        return self == other
    }
}

/// Makes the playlists of a library and the shared ones equal, in transactions of both databases.
///
/// The shared ones are the original. The library has them, too, since clients read and download the library and follow its
/// changes. Shared entries name tracks by audio and path. Those that a library lacks are not in its playlists, and stay in the
/// shared ones.
struct PlaylistExchange {
    /// A track of a shared playlist.
    private struct Entry: Equatable {
        var audioHash: [UInt8]
        var place: String
    }

    /// The library.
    let library: Database
    /// The copy of the shared data.
    let shared: Database

    /// Whether a host has stored its playlists in the shared data.
    static func isFilled(_ shared: Database) throws -> Bool {
        try shared.scalar("SELECT 1 FROM main.shared_playlists_state") ?? false
    }

    /// Whether any playlist has changed on one side only.
    static func differs(
        _ ours: [Int: PlaylistHead], _ theirs: [Int: PlaylistHead]
    ) -> Bool {
        ours.count != theirs.count
            || ours.values.contains { theirs[$0.id]?.isSameChange(as: $0) != true }
    }

    // MARK: - From the shared data

    /// Makes the playlists of the library equal to the shared ones.
    func pull() throws {
        let (ours, theirs) = (try PlaylistHead.ofLibrary(library), try PlaylistHead.shared(shared))
        for id in ours.keys.sorted() where theirs[id] == nil {
            try library.execute("DELETE FROM playlists WHERE id = ?", [id])
        }
        var changed: [(head: PlaylistHead, tracks: [Int])] = []
        for their in theirs.values.sorted(by: { $0.id < $1.id }) {
            let our = ours[their.id]
            guard our?.isSameChange(as: their) != true else { continue }
            let tracks = try entries(ofShared: their.id).compactMap { try trackID($0) }
            if let our, our.hasSameContent(as: their), try self.tracks(ofPlaylist: their.id) == tracks {
                continue
            }
            var head = their
            // A client must not take it for a state that it knows.
            if let our, our.revision >= head.revision { head.revision = our.revision + 1 }
            changed.append((head, tracks))
        }
        // Playlists may exchange their names.
        for (head, _) in changed {
            try library.execute("UPDATE playlists SET name = char(1) || id WHERE id = ?", [head.id])
        }
        for (head, tracks) in changed { try store(head, tracks) }
    }

    private func store(_ head: PlaylistHead, _ tracks: [Int]) throws {
        try library.execute(
            """
            INSERT INTO playlists (id, owner_id, is_public, name, name_sort, description, revision,
                created_at_ms, changed_at_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (id) DO UPDATE SET owner_id = ?2, is_public = ?3, name = ?4, name_sort = ?5,
                description = ?6, revision = ?7, created_at_ms = ?8, changed_at_ms = ?9
            """,
            [
                head.id, head.ownerID, head.isPublic, head.name, SortKey.key(head.name), head.description,
                head.revision, head.createdAt, head.changedAt,
            ])
        try LibraryStore.replaceEntries(ofPlaylist: head.id, by: tracks, library)
        try library.execute("DELETE FROM smart_playlists WHERE playlist_id = ?", [head.id])
        if let rules = head.rules {
            try library.execute(
                "INSERT INTO smart_playlists (playlist_id, rules) VALUES (?, ?)", [head.id, rules])
        }
    }

    /// The track of an entry: the one with its audio at its path, another one with its audio, or the one at its path, whose audio
    /// was replaced.
    private func trackID(_ entry: Entry) throws -> Int? {
        try library.scalar(
            """
            SELECT coalesce(
                (SELECT id FROM tracks WHERE relative_path = ?1 AND audio_hash = ?2),
                (SELECT id FROM tracks WHERE audio_hash = ?2 ORDER BY unavailable_since_ms IS NOT NULL, id LIMIT 1),
                (SELECT id FROM tracks WHERE relative_path = ?1))
            """, [entry.place, entry.audioHash])
    }

    private func tracks(ofPlaylist id: Int) throws -> [Int] {
        try CatalogueReader(database: library).trackIDs(playlistID: id)
    }

    // MARK: - To the shared data

    /// Lets the library give no id to a new playlist that another host has given.
    func reserveIDs() throws {
        let last = try SharedTable.lastIDs(in: shared)["shared_playlists"] ?? 0
        try SharedTable.raiseLastIDs(to: ["playlists": last], in: library)
    }

    /// Makes the shared playlists equal to those of the library, which were equal before the library was changed.
    /// - Parameter id: a playlist whose tracks were all replaced, also those that this library lacks.
    func push(replacing id: Int?) throws {
        let (ours, theirs) = (try PlaylistHead.ofLibrary(library), try PlaylistHead.shared(shared))
        for id in theirs.keys.sorted() where ours[id] == nil {
            try shared.execute("DELETE FROM main.shared_playlists WHERE id = ?", [id])
        }
        for our in ours.values.sorted(by: { $0.id < $1.id }) {
            let their = theirs[our.id]
            guard their?.isSameChange(as: our) != true else { continue }
            let old = try entries(ofShared: our.id)
            let new = try entries(
                of: try tracks(ofPlaylist: our.id), keepingAbsentOf: our.id == id ? [] : old)
            if let their, their.hasSameContent(as: our), new == old { continue }
            var head = our
            head.revision = max(our.revision, (their?.revision ?? 0) + 1)
            try store(head, new, replacing: old.count)
        }
    }

    /// Adds the playlists of a library that has not shared them before. None is lost: one that differs from a shared one gets another
    /// id, and another name if its account has one of that name.
    func fill(now: Int) throws {
        let theirs = try PlaylistHead.shared(shared)
        let ours = try PlaylistHead.ofLibrary(library).values.sorted { $0.id < $1.id }
        let last = try SharedTable.lastIDs(in: shared)["shared_playlists"] ?? 0
        var nextID = max(last, ours.last?.id ?? 0) + 1
        var names = Dictionary(grouping: theirs.values, by: \.ownerID).mapValues { Set($0.map(\.name)) }
        for our in ours {
            let tracks = try tracks(ofPlaylist: our.id)
            if let their = theirs[our.id], their.hasSameContent(as: our),
                try entries(ofShared: our.id).compactMap({ try trackID($0) }) == tracks
            {
                continue
            }
            var head = our
            if our.id <= last {
                head.id = nextID
                nextID += 1
            }
            var number = 2
            while names[our.ownerID]?.contains(head.name) == true {
                head.name = "\(our.name) (\(number))"
                head.revision = our.revision + 1
                number += 1
            }
            names[our.ownerID, default: []].insert(head.name)
            try store(head, try entries(of: tracks), replacing: 0)
        }
        try shared.execute(
            "INSERT OR IGNORE INTO main.shared_playlists_state (id, stored_at_ms) VALUES (1, ?)", [now])
    }

    private func store(_ head: PlaylistHead, _ entries: [Entry], replacing count: Int) throws {
        try shared.execute(
            """
            INSERT INTO main.shared_playlists (id, owner_id, is_public, name, description, rules, version,
                created_at_ms, changed_at_ms)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (id) DO UPDATE SET owner_id = ?2, is_public = ?3, name = ?4, description = ?5,
                rules = ?6, version = ?7, created_at_ms = ?8, changed_at_ms = ?9
            """,
            [
                head.id, head.ownerID, head.isPublic, head.name, head.description, head.rules, head.revision,
                head.createdAt, head.changedAt,
            ])
        for (position, entry) in entries.enumerated() {
            // Rows that stay as they are must not count as changed: each is sent to the shared database.
            try shared.execute(
                """
                INSERT INTO main.shared_playlist_entries (playlist_id, position, audio_hash, place)
                VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (playlist_id, position) DO UPDATE SET audio_hash = ?3, place = ?4
                WHERE audio_hash <> ?3 OR place <> ?4
                """, [head.id, position, entry.audioHash, entry.place])
        }
        guard count > entries.count else { return }
        try shared.execute(
            "DELETE FROM main.shared_playlist_entries WHERE playlist_id = ? AND position >= ?",
            [head.id, entries.count])
    }

    private func entries(ofShared id: Int) throws -> [Entry] {
        try shared.fetchAll(
            """
            SELECT audio_hash, place FROM main.shared_playlist_entries WHERE playlist_id = ? ORDER BY position
            """, [id]
        ) { Entry(audioHash: try $0["audio_hash"], place: try $0["place"]) }
    }

    /// Returns the entries of tracks.
    /// - Parameter old: entries before; those whose tracks this library lacks stay behind the entry that they followed.
    private func entries(of tracks: [Int], keepingAbsentOf old: [Entry] = []) throws -> [Entry] {
        var absent: [(after: Int?, entries: [Entry])] = []
        var last: Int?
        for entry in old {
            if let track = try trackID(entry) {
                last = track
            } else if absent.last?.after == last, !absent.isEmpty {
                absent[absent.count - 1].entries.append(entry)
            } else {
                absent.append((last, [entry]))
            }
        }
        func taken(after track: Int?) -> [Entry] {
            guard let index = absent.firstIndex(where: { $0.after == track }) else { return [] }
            return absent.remove(at: index).entries
        }
        var entries = taken(after: nil)
        for track in tracks {
            let entry = try library.fetchOne(
                "SELECT audio_hash, relative_path FROM tracks WHERE id = ?", [track]
            ) { Entry(audioHash: try $0["audio_hash"], place: try $0["relative_path"]) }
            if let entry { entries.append(entry) }
            entries += taken(after: track)
        }
        return entries + absent.flatMap(\.entries)
    }
}
