package import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization

extension AccountListening {
    /// Applies actions in order, all valid ones in one transaction.
    ///
    /// The result does not depend on the order in which actions arrive: for stars and ratings, the latest by
    /// the clients' clocks wins, and for equal times the one with the larger action id; each play counts
    /// once, by its id and by its time. Of actions without a time, the last to arrive wins.
    /// - Parameter now: the host's time; it replaces times of actions that are too far in the future.
    /// - Throws: `DatabaseError` if the database cannot be written: nothing has been applied then, and all
    ///   actions may be sent again.
    package func apply(_ actions: [ListeningAction], now: Date = Date()) throws -> ListeningResults {
        let found: [Result<ListeningItem, ListeningResults.Refusal>] = try store.read { database in
            try actions.map { action in
                do {
                    try Self.check(action)
                    let item = try ListeningItem.find(action, ofAccount: accountID, database)
                    let isPlayed = action.action == .play || action.action == .nowPlaying
                    guard !isPlayed || item.kind == .track else {
                        throw ListeningResults.Refusal(
                            "invalid_field", "Only tracks can be played; specify a track.",
                            field: item.kind == .album ? "album_id" : "artist_id")
                    }
                    return .success(item)
                } catch let refusal as ListeningResults.Refusal {
                    return .failure(refusal)
                }
            }
        }
        let needsWriting = zip(actions, found).contains { action, item in
            if case .success = item { action.action != .nowPlaying } else { false }
        }
        func outcomes(_ database: Database?) throws -> [ListeningResults.Result] {
            try zip(actions, found).map { action, item in
                switch item {
                case .failure(let refusal):
                    return ListeningResults.Result(.refused, actionID: action.actionID, error: refusal)
                case .success(let item):
                    let time = Self.time(action, now)
                    note(action, item, time, now)
                    guard action.action != .nowPlaying, let database else {
                        return ListeningResults.Result(.applied, actionID: action.actionID)
                    }
                    let outcome = try apply(action, item, time, now, database)
                    return ListeningResults.Result(outcome, actionID: action.actionID)
                }
            }
        }
        let results =
            needsWriting
            ? try store.write { database in
                let results = try outcomes(database)
                passOn(.played, of: actions, found, results, now: now)
                return results
            } : try outcomes(nil)
        passOn(.started, of: actions, found, results, now: now)
        return ListeningResults(results: results)
    }

    /// The time of an action in milliseconds; now if it has no time or one too far in the future.
    static func time(_ action: ListeningAction, _ now: Date) -> Int {
        let latest = now.storedMilliseconds
        guard let at = action.at else { return latest }
        let time = Int((at * 1000).rounded())
        return time > latest + Int(ListeningLimits.clockSkewSeconds * 1000) ? latest : time
    }

    /// The time of a star or rating. Without one of its own, it is after those that have just arrived: they may be of the same
    /// millisecond.
    private static func time(
        after column: String, _ row: Int, _ action: ListeningAction, _ time: Int, _ database: Database
    ) throws -> Int {
        guard action.at == nil else { return time }
        let before: Int? = try database.scalar("SELECT \(column) FROM listened WHERE id = ?", [row])
        guard let before, (time...time + 1000).contains(before) else { return time }
        return before + 1
    }

    private static func check(_ action: ListeningAction) throws {
        func require(_ isFine: Bool, _ field: String, _ message: String) throws {
            guard isFine else { throw ListeningResults.Refusal("invalid_field", message, field: field) }
        }
        func isName(_ text: String?) -> Bool {
            guard let text else { return true }
            return (1...ListeningLimits.nameLength).contains(text.unicodeScalars.count)
                && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        }
        try require(
            isName(action.actionID), "action_id",
            "action_id must have 1 to \(ListeningLimits.nameLength) characters and no control characters.")
        try require(
            isName(action.client), "client",
            "client must have 1 to \(ListeningLimits.nameLength) characters and no control characters.")
        // Up to the year 9999.
        try require(
            action.at.map { (0...253_402_300_799).contains($0) } ?? true, "at",
            "at must be in seconds since 1970.")
        try require(
            action.rating.map { (1...5).contains($0) } ?? true, "rating", "rating must be 1 to 5, or null.")
        try require(
            action.rating == nil || action.action == .rate, "rating", "rating is only allowed for `rate`.")
        try require(
            action.secondsPlayed.map { (0...1_000_000).contains($0) } ?? true, "seconds_played",
            "seconds_played must be from 0 to 1000000.")
        try require(
            action.secondsPlayed == nil || action.action == .play, "seconds_played",
            "seconds_played is only allowed for `play`.")
    }

    private func note(_ action: ListeningAction, _ item: ListeningItem, _ time: Int, _ now: Date) {
        guard let trackID = item.number, item.kind == .track else { return }
        let client = action.client ?? ""
        let startedAt = Double(time) / 1000
        switch action.action {
        case .nowPlaying:
            playing {
                $0.began(
                    client,
                    NowPlaying.Entry(
                        trackID: trackID, startedAt: startedAt, receivedAt: now.timeIntervalSince1970))
            }
        case .play: playing { $0.ended(client, trackID, at: startedAt) }
        case .star, .unstar, .rate: break
        }
    }

    private func apply(
        _ action: ListeningAction, _ item: ListeningItem, _ time: Int, _ now: Date, _ database: Database
    ) throws -> ListeningResults.Outcome {
        if let name = action.actionID {
            let isDone: Bool? = try database.scalar(
                "SELECT 1 FROM done_actions WHERE account_id = ? AND action_id = ?", [accountID, name])
            if isDone == true { return .duplicate }
            try database.execute(
                "INSERT INTO done_actions (account_id, action_id, received_at_ms) VALUES (?, ?, ?)",
                [accountID, name, now.storedMilliseconds])
        }
        let row = try item.row(database)
        let name = action.actionID ?? ""
        switch action.action {
        case .star, .unstar:
            let time = try Self.time(after: "starred_at_ms", row, action, time, database)
            let isStarred = action.action == .star
            try database.execute(
                """
                UPDATE listened SET is_starred = ?2, starred_at_ms = ?3, starred_by = ?4
                WHERE id = ?1 AND (starred_at_ms IS NULL
                    OR (starred_at_ms, starred_by, is_starred) < (?3, ?4, ?2))
                """, [row, isStarred, time, name])
        case .rate:
            let time = try Self.time(after: "rated_at_ms", row, action, time, database)
            try database.execute(
                """
                UPDATE listened SET rating = ?2, rated_at_ms = ?3, rated_by = ?4
                WHERE id = ?1 AND (rated_at_ms IS NULL
                    OR (rated_at_ms, rated_by, coalesce(rating, 0)) < (?3, ?4, coalesce(?2, 0)))
                """, [row, action.rating, time, name])
        case .play:
            try database.execute(
                """
                INSERT OR IGNORE INTO plays
                    (account_id, listened_id, played_at_ms, seconds_played, client)
                VALUES (?, ?, ?, ?, ?)
                """, [accountID, row, time, action.secondsPlayed, action.client])
            guard database.changedRowCount > 0 else { return .duplicate }
            try database.execute(
                """
                UPDATE listened SET play_count = play_count + 1,
                    last_played_at_ms = max(coalesce(last_played_at_ms, ?2), ?2)
                WHERE id = ?1
                """, [row, time])
        case .nowPlaying: break
        }
        return database.changedRowCount > 0 ? .applied : .outdated
    }
}
