internal import Analyzer
internal import Catalogue
package import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization

/// A range of plays by time.
package struct PlayRange: Sendable, Equatable {
    /// Start of the range, inclusive, in seconds since 1970; nil if unlimited.
    package var from: Double?
    /// End of the range, exclusive, in seconds since 1970; nil if unlimited.
    package var before: Double?

    /// Creates a range; all plays by default.
    package init(from: Double? = nil, before: Double? = nil) {
        self.from = from
        self.before = before
    }

    func condition(ofAccount accountID: Int) -> (sql: String, arguments: [(any DatabaseBindable)?]) {
        func milliseconds(_ seconds: Double?) -> Int? { seconds.map { Int(($0 * 1000).rounded(.up)) } }
        return (
            "plays.account_id = \(accountID) AND played_at_ms >= ? AND played_at_ms < ?",
            [milliseconds(from) ?? Int.min, milliseconds(before) ?? Int.max]
        )
    }
}

extension ListeningReader {
    private static let plays = """
        SELECT plays.id, played_at_ms, seconds_played, client, place, audio_hash, title, artist, album
        FROM plays CROSS JOIN listened ON listened.id = plays.listened_id
        """

    /// A page of plays, the latest first, each with its track.
    package func history(_ range: PlayRange, limit: Int, offset: Int) throws -> CataloguePage<PlayItem> {
        let (condition, arguments) = range.condition(ofAccount: accountID)
        // The page first, so that the details of plays are read only for the page.
        let plays = try database.fetchAll(
            """
            \(Self.plays) WHERE plays.id IN (SELECT id FROM plays WHERE \(condition)
                ORDER BY played_at_ms DESC, id DESC LIMIT ? OFFSET ?)
            ORDER BY played_at_ms DESC, plays.id DESC
            """, arguments + [limit, offset], Self.play)
        let total: Int? = try database.scalar("SELECT count(*) FROM plays WHERE \(condition)", arguments)
        return CataloguePage(
            items: try plays.map { play in
                var play = play
                play.track = try playableTrack(play)
                return play
            }, total: total ?? 0, limit: limit, offset: offset)
    }

    /// Returns plays in the order in which they were recorded, without their tracks, starting after an id.
    package func plays(after id: Int, limit: Int) throws -> [PlayItem] {
        try database.fetchAll(
            "\(Self.plays) WHERE +plays.account_id = ? AND plays.id > ? ORDER BY plays.id LIMIT ?",
            [accountID, id, limit], Self.play)
    }

    /// Returns all stored listening states in pages, starting after an id.
    package func exportedStates(after id: Int, limit: Int) throws -> [(id: Int, state: ExportedListening)] {
        try database.fetchAll(
            """
            \(Self.columns), id, kind, audio_hash, place, title, artist, album, rated_at_ms FROM listened
            WHERE +account_id = ? AND id > ? ORDER BY id LIMIT ?
            """, [accountID, id, limit]
        ) { row in
            let hash: [UInt8] = try row["audio_hash"]
            let rated: Int? = try row["rated_at_ms"]
            let kind: String = try row["kind"]
            let place: String = try row["place"]
            return (
                try row["id"],
                ExportedListening(
                    kind: kind, audioHash: AudioHash(bytes: hash)?.description,
                    relativePath: kind == "track" ? place : nil, title: try row["title"],
                    artist: try row["artist"], album: try row["album"],
                    ratedAt: rated.map { Double($0) / 1000 },
                    listening: try Self.state(row))
            )
        }
    }

    /// The tracks that players are playing now, the latest first.
    func nowPlaying(_ entries: [String: NowPlaying.Entry], at now: Date) throws -> [NowPlayingItem] {
        try entries.compactMap { client, entry -> NowPlayingItem? in
            guard let track = try catalogue.track(id: entry.trackID), track.isAvailable else { return nil }
            let length = track.durationSeconds ?? NowPlaying.standardSeconds
            let isOver =
                entry.session?.isOver(at: now)
                ?? (now.timeIntervalSince1970 - entry.startedAt >= length + NowPlaying.graceSeconds)
            return isOver ? nil : NowPlayingItem(client: client, startedAt: entry.startedAt, track: track)
        }.sorted { ($1.startedAt, $1.client) < ($0.startedAt, $0.client) }
    }

    private func playableTrack(_ play: PlayItem) throws -> TrackItem? {
        let id: Int? = try database.scalar(
            """
            SELECT id FROM tracks WHERE relative_path = ? AND unavailable_since_ms IS NULL AND lower(hex(audio_hash)) = ?
            """, [play.relativePath, play.audioHash])
        return try id.flatMap { try catalogue.track(id: $0) }
    }

    private static func play(_ row: borrowing Row) throws -> PlayItem {
        let time: Int = try row["played_at_ms"]
        var play = PlayItem(
            id: try row["id"], playedAt: Double(time) / 1000, relativePath: try row["place"],
            audioHash: try TrackRow.hash(row["audio_hash"]).description)
        play.secondsPlayed = try row["seconds_played"]
        play.client = try row["client"]
        play.title = try row["title"]
        play.artist = try row["artist"]
        play.album = try row["album"]
        return play
    }
}

extension AccountListening {
    /// The sessions of players that report their state, by the player's name.
    package func playbackSessions() -> [String: PlaybackSession] {
        playing { $0.entries.compactMapValues(\.session) }
    }

    /// The tracks that players are playing now, the latest first.
    package func nowPlaying(now: Date = Date()) throws -> NowPlayingList {
        let entries = playing { $0.entries }
        return NowPlayingList(items: try look { try $0.nowPlaying(entries, at: now) })
    }

    /// Deletes plays from the history.
    /// - Parameter keepsCounts: whether to keep the play counts and the times of the last plays.
    /// - Returns: the number of deleted plays.
    package func deletePlays(in range: PlayRange, keepsCounts: Bool) throws -> Int {
        let (condition, arguments) = range.condition(ofAccount: accountID)
        return try delete("WHERE \(condition)", arguments, keepsCounts)
    }

    /// Deletes a play from the history.
    /// - Returns: whether the play existed.
    package func deletePlay(id: Int) throws -> Bool {
        try delete("WHERE id = ? AND account_id = ?", [id, accountID], false) > 0
    }

    private func delete(
        _ condition: String, _ arguments: [(any DatabaseBindable)?], _ keepsCounts: Bool
    ) throws -> Int {
        try store.write { database in
            if !keepsCounts {
                // Subtracts only the deleted plays: plays deleted earlier with their counts kept still count.
                try database.execute(
                    """
                    UPDATE listened SET
                        play_count = play_count - gone.count,
                        last_played_at_ms = CASE WHEN play_count = gone.count THEN NULL
                            ELSE coalesce((SELECT max(played_at_ms) FROM plays AS left_over
                                WHERE left_over.listened_id = listened.id
                                    AND left_over.id NOT IN (SELECT id FROM plays \(condition))),
                                last_played_at_ms) END
                    FROM (SELECT listened_id, count(*) AS count FROM plays \(condition) GROUP BY listened_id) AS gone
                    WHERE gone.listened_id = listened.id
                    """, arguments + arguments)
            }
            try database.execute("DELETE FROM plays \(condition)", arguments)
            return database.changedRowCount
        }
    }
}

/// The exported listening state of a track, an album or an artist.
package struct ExportedListening: Encodable, Sendable {
    let kind: String
    let audioHash: String?
    let relativePath: String?
    let title: String?
    let artist: String?
    let album: String?
    let ratedAt: Double?
    let listening: ListeningState

    /// Encodes all fields as one flat object.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encodeIfPresent(audioHash, forKey: .audioHash)
        try container.encodeIfPresent(relativePath, forKey: .relativePath)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(artist, forKey: .artist)
        try container.encodeIfPresent(album, forKey: .album)
        try container.encodeIfPresent(listening.rating == nil ? nil : ratedAt, forKey: .ratedAt)
        try listening.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case kind, title, artist, album
        case audioHash = "audio_hash"
        case relativePath = "relative_path"
        case ratedAt = "rated_at"
    }
}
